import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { environment } from '../../support/runner/scenario.ts'
import { run } from '../sandbox/run.ts'

let server: Collector
let sandbox: Sandbox
beforeAll(async () => {
  server = await startCollector()
  sandbox = await createSandbox({ mode: 'best-effort' })
})
afterAll(() => Promise.all([server.stop(), sandbox.stop()]))

const execute = (steps: object[]) =>
  run({
    ...{ sandbox, source: '', scenario: { steps } },
    environment: environment({ baseUrl: server.url }),
  })

const JSON_TYPE = { 'content-type': 'application/json' }
const coded = (coding: string) => ({ ...JSON_TYPE, 'content-encoding': coding })

test.each([
  ['gzip', coded('gzip'), gzipSync('{"a":"ü"}')],
  ['GZIP in capitals', coded('GZIP'), gzipSync('{"a":"ü"}')],
  ['deflate', coded('deflate'), deflateSync('{"a":"ü"}')],
  ['br', coded('br'), brotliCompressSync('{"a":"ü"}')],
  ['zstd', coded('zstd'), zstdCompressSync('{"a":"ü"}')],
  ['a coding that it does not have', coded('gzip'), Buffer.from('{"a":"ü"}')],
  ['a byte order mark', JSON_TYPE, Buffer.from('\uFEFF{"a":"ü"}')],
  [
    'another charset',
    { 'content-type': 'application/json; charset=ISO-8859-1' },
    Buffer.from('{"a":"ü"}', 'latin1'),
  ],
])('a body with %s is decoded', async (_, headers, body) => {
  server.answer((response) => response.writeHead(200, headers).end(body))
  const expectation = { path: '$.body', assert: 'equals', value: { a: 'ü' } }
  const outcome = await execute([{ id: 'a', http: { url: '/' }, expect: [expectation] }])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
})

test('text is decoded, and nothing is not', async () => {
  server.answer((response) =>
    response
      .writeHead(200, { 'content-type': 'text/plain;charset="windows-1252"' })
      .end(Buffer.from('5 \x80', 'latin1')),
  )
  const text = {
    id: 'a',
    http: { url: '/' },
    expect: [{ path: '$.body', assert: 'equals', value: '5 €' }],
  }
  expect(await execute([text])).toMatchObject({ state: 'COMPLETED', message: '' })
  server.answer((response) => response.writeHead(200, coded('gzip')).end())
  const head = {
    id: 'a',
    http: { url: '/', method: 'HEAD' },
    expect: [{ path: '$.body', assert: 'equals', value: '' }],
  }
  expect(await execute([head])).toMatchObject({ state: 'COMPLETED', message: '' })
})

test('a body that inflates beyond the limit is an ERROR', async () => {
  const body = gzipSync(Buffer.alloc(1024 * 1024 + 1))
  server.answer((response) => response.writeHead(200, coded('gzip')).end(body))
  const outcome = await execute([{ id: 'a', http: { url: '/' } }])
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'MESSAGE_LIMIT' })
})
