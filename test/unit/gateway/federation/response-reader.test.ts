import {
  BadResponse,
  BodyTooLong,
  type ResponseHead,
  ResponseReader,
} from '../../../../gateway/federation/links/http/response-reader.ts'

interface Read {
  head: ResponseHead
  body: string | undefined
}

/** Reads bytes that arrive in such pieces, and then end. */
function readAll(pieces: readonly Buffer[], most = 65_536): Read[] {
  const read: Read[] = []
  const listener = {
    onHead: (head: ResponseHead) => void read.push({ head, body: undefined }),
    onBody(body: string) {
      const last = read.at(-1)
      if (last) last.body = body
    },
  }
  const reader = new ResponseReader(listener, most)
  const shared = Buffer.alloc(65_536)
  for (const piece of pieces) {
    piece.copy(shared)
    reader.read(shared.subarray(0, piece.length))
    shared.fill(0) // what it keeps must be its own
  }
  reader.end()
  return read
}

const bytesOf = (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))

const WITH_LENGTH = bytesOf('HTTP/1.1 200 OK\nContent-Length: 12\n\n{"ä":"€"}')
const CHUNKED_HEAD = 'HTTP/1.1 503 Busy\nTransfer-Encoding: chunked\nRetry-After: 7\n\n'

test('responses follow each other, however they arrive', () => {
  const all = Buffer.concat([
    bytesOf('HTTP/1.1 100 Continue\n\n'),
    WITH_LENGTH,
    bytesOf('HTTP/1.1 204 No Content\n\n'),
    bytesOf('HTTP/1.1 200 OK\ncontent-length:0\n\n'),
    bytesOf('HTTP/1.1 200 OK\ntransfer-encoding: chunked\n\n3\nabc\n0\nTrailer: one\n\n'),
    bytesOf('HTTP/1.1 200 \nKeep-Alive: timeout=5, max=9\nCONNECTION: Close\n\nuntil the end'),
  ])
  const expected = [
    [200, '{"ä":"€"}'],
    [204, ''],
    [200, ''],
    [200, 'abc'],
    [200, 'until the end'],
  ]
  for (let size = 1; size <= all.length; size++) {
    const pieces = Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
      all.subarray(index * size, (index + 1) * size),
    )
    const read = readAll(pieces)
    expect(read.map(({ head, body }) => [head.status, body])).toEqual(expected)
    expect(read.map(({ head }) => head.isLast)).toEqual([false, false, false, false, true])
    expect(read.at(-1)?.head.idleMs).toBe(5_000)
  }
})

test('a chunk ends where its size says', () => {
  const [read] = readAll([bytesOf(`${CHUNKED_HEAD}3\n{"a\n4;name=value\n":1}\n0\n\n`)])
  expect(read).toMatchObject({ head: { status: 503, retryAfter: '7' }, body: '{"a":1}' })
})

test.each([
  ['a length', 'content-length: 4\n\n'],
  ['a length, and the body', 'content-length: 4\n\nabcd'],
  ['a chunk', 'transfer-encoding: chunked\n\n4\n'],
  ['chunks together', 'transfer-encoding: chunked\n\n2\nab\n2\n'],
  ['no end', '\nabcd'],
])('a body with more bytes than may be read is refused as soon as that shows: %s', (_, rest) => {
  const read = (most: number) => readAll([bytesOf(`HTTP/1.1 200 OK\n${rest}`)], most)
  expect(() => read(3)).toThrow(BodyTooLong)
  expect(() => read(4)).not.toThrow()
})

test('a body that does not end is none', () => {
  const [read] = readAll([WITH_LENGTH.subarray(0, -1)])
  expect(read?.body).toBeUndefined()
})

test('HTTP/1.0 closes the connection', () => {
  const [read] = readAll([bytesOf('HTTP/1.0 200 OK\n\nabc')])
  expect(read).toMatchObject({ head: { isLast: true }, body: 'abc' })
})

test.each([
  'SSH-2.0-OpenSSH_9.2\n\n',
  'HTTP/2 200\n\n',
  'HTTP/1.1 99 Low\n\n',
  'HTTP/1.1 101 Switching Protocols\n\n',
  'HTTP/1.1 200 OK\nno header\n\n',
  'HTTP/1.1 200 OK\n: no name\n\n',
  'HTTP/1.1 200 OK\nContent-Length : 3\n\nabc',
  'HTTP/1.1 200 OK\na: b\n folded: c\n\n',
  'HTTP/1.1 200 OK\nContent-Length: 3\nContent-Length: 4\n\nabc',
  'HTTP/1.1 200 OK\nContent-Length: -3\n\nabc',
  'HTTP/1.1 200 OK\nContent-Length: 3\nTransfer-Encoding: chunked\n\n0\n\n',
  'HTTP/1.1 200 OK\nTransfer-Encoding: gzip\n\nabc',
  'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nxyz\n',
  'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nabc\n',
  `${CHUNKED_HEAD}3\n{"a\n5\n":1}\n0\n\n`,
])('%j is refused', (text) => {
  expect(() => readAll([bytesOf(text)])).toThrow(BadResponse)
})

test('headers that do not end are refused', () => {
  const piece = Buffer.from(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(5_000)}`)
  expect(() => readAll([piece, piece, piece])).toThrow('do not end')
})
