import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import {
  sendChunksWithoutEnd,
  sendMillionChunks,
  sendSlowly,
} from '../../support/attacks/raw-body.ts'
import { withstands } from '../../support/attacks/target.ts'
import { testStalls } from '../../support/attacks/test-stalls.ts'
import { ADMIN, ADMIN_PASSWORD, basic } from '../../support/e2e/users.ts'
import { send } from './send.ts'
import { STALLS } from './stall-corpus.ts'
import { READING_STALLS } from './stall-corpus-reading.ts'

const SIGNED_IN = basic(ADMIN, ADMIN_PASSWORD)

const target = testStalls([...STALLS, ...READING_STALLS])

const PATHS = ['/api/v1/events', '/api/testcase', '/graphql']

test.each(PATHS)('a million chunks of one byte for %s', (path) =>
  withstands(target(), `a million chunks for ${path}`, async () =>
    expect(await sendMillionChunks(target().url, path)).toBe('HTTP/1.1 400 Bad Request'),
  ),
)

test.each(PATHS)('chunks without end for %s', (path) =>
  withstands(target(), `chunks without end for ${path}`, async () =>
    expect(await sendChunksWithoutEnd(target().url, path)).toBe('HTTP/1.1 413 Payload Too Large'),
  ),
)

test('200 bodies that arrive byte by byte delay no other request', async () => {
  await withstands(target(), '200 slow bodies', async () => {
    const query = JSON.stringify({ query: '{ __typename }' })
    const slow = Array.from({ length: 200 }, () =>
      sendSlowly(target().url, '/graphql', query, 2_000),
    )
    const meanwhile = await send(target().url, {
      path: '/graphql',
      headers: SIGNED_IN,
      body: '{"query":"{ events { totalCount } }"}',
    })
    expect(meanwhile).toMatchObject({ status: 200 })
    expect(new Set(await Promise.all(slow))).toEqual(new Set(['HTTP/1.1 200 OK']))
  })
})

/** True if the connection is kept or not, and whether the length is announced or not. */
test.each([
  [],
  ['connection: close'],
  ['transfer-encoding: chunked'],
  ['connection: close', 'transfer-encoding: chunked'],
])('a client that sends too much reads why: %s %s', async (...headers) => {
  const body = 'x'.repeat(40_000_000)
  const signedIn = { ...SIGNED_IN, 'content-type': 'application/json' }
  for (const path of PATHS) {
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
})
