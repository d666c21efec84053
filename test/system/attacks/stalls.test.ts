import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'
import { ADMIN, ADMIN_PASSWORD, basic } from '../../e2e/_support/users.ts'
import { withstands } from './_support/target.ts'
import { testStalls } from './_support/test-stalls.ts'
import { send } from './send.ts'
import { STALLS } from './stall-corpus.ts'
import { READING_STALLS } from './stall-corpus-reading.ts'

const SIGNED_IN = basic(ADMIN, ADMIN_PASSWORD)

const target = testStalls([...STALLS, ...READING_STALLS])

const CHUNKS = Buffer.from(`${'1\r\n \r\n'.repeat(1_000_000)}0\r\n\r\n`)

/** Sends a body in a million chunks of one byte. @returns the first line of the answer */
async function sendInChunks(path: string): Promise<string> {
  const { hostname, port } = new URL(target().url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {}) // the answer is there before all is sent
  const headers = { ...SIGNED_IN, host: hostname, 'content-type': 'application/json' }
  const lines = Object.entries(headers).map((pair) => pair.join(': '))
  socket.write(
    [`POST ${path} HTTP/1.1`, ...lines, 'transfer-encoding: chunked', '', ''].join('\r\n'),
  )
  socket.write(CHUNKS)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer).split('\r\n', 1)[0] ?? ''
}

test.each(['/api/v1/events', '/api/testcase', '/graphql'])(
  'a million chunks of one byte for %s',
  (path) =>
    withstands(target(), `a million chunks for ${path}`, async () =>
      expect(await sendInChunks(path)).toBe('HTTP/1.1 400 Bad Request'),
    ),
  60_000,
)

/** Whether the connection is kept or not, and whether the length is announced or not. */
test.each([
  [],
  ['connection: close'],
  ['transfer-encoding: chunked'],
  ['connection: close', 'transfer-encoding: chunked'],
])(
  'a client that sends too much reads why: %s %s',
  async (...headers) => {
    const body = 'x'.repeat(40_000_000)
    const signedIn = { ...SIGNED_IN, 'content-type': 'application/json' }
    for (const path of ['/api/v1/events', '/api/testcase', '/graphql']) {
      const url = target().url + path
      const given = [...Object.entries(signedIn).map((pair) => pair.join(': ')), ...headers]
      const curl = promisify(execFile)('curl', [
        ...['--silent', '--output', '/dev/null', '--write-out', '%{http_code}'],
        ...[...given, 'expect:'].flatMap((header) => ['--header', header]),
        ...['--data-binary', '@-', url],
      ])
      curl.child.stdin?.on('error', () => {}).end(body)
      const answers = await Promise.all([
        curl.then(({ stdout }) => Number(stdout)),
        fetch(url, { method: 'POST', headers: signedIn, body }).then(({ status }) => status),
        send(target().url, {
          path,
          headers: { ...signedIn, ...Object.fromEntries(headers.map((line) => line.split(': '))) },
          body,
        }).then(({ status }) => status),
      ])
      expect(answers).toEqual([413, 413, 413])
    }
  },
  60_000,
)
