import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { parseYaml } from '../../../../formats/yaml.ts'
import { supergraphConfig } from '../../../../gateway/config.ts'
import { readSettingsFile } from '../../../../gateway/settings-file/read-settings-file.ts'
import { ConfigError } from '../../../../platform/settings/env.ts'
import schema from '../../../../schema/gateway-config.schema.json' with { type: 'json' }
import { certFile, keyFile } from '../../../support/tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-settings-'))
const file = join(folder, 'gateway.yaml')

const read = (text: string, env: Record<string, string> = {}) => {
  writeFileSync(file, text)
  return readSettingsFile(file, env)
}

function faultsOf(act: () => unknown): string[] {
  try {
    act()
  } catch (error) {
    if (error instanceof ConfigError) return error.faults.map((fault) => fault.replace(file, 'F'))
    throw error
  }
  return []
}

const WHOLE = `supergraph: supergraph.graphql
settings: { PORT: "{env.WISHED_PORT}", OPERATION_MAX_DEPTH: 12, INTROSPECTION: false }
all:
  timeout: 5s
  silence: 1m
  retries: 1
  breaker: { failures: 9, pause: 250ms }
  headers:
    request:
      - propagate: authorization
    response:
      - propagate: x-cost
        combine: append
subgraphs:
  books:
    url: https://{env.BOOKS_HOST}/graphql
    retries: "{env.BOOKS_RETRIES}"
    connections: 8
    breaker: { pause: 1s }
    tls: { ca: ${certFile('first')}, certificate: ${certFile('second')}, key: ${keyFile('second')} }
    headers:
      request:
        - insert: x-key
          value: "{env.BOOKS_KEY}"
    subscriptions: { protocol: sse, path: /stream }
overrideLabels: { new-sales: true, half: 50 }
authorization: { onDenied: reject, policies: { url: https://policies, timeout: 1s, cache: 1m, token: t } }
`
const ENV = { WISHED_PORT: '4123', BOOKS_HOST: 'books', BOOKS_RETRIES: '4', BOOKS_KEY: 'k' }

test('settings for all hold for each subgraph that does not say otherwise', () => {
  const settings = read(WHOLE, ENV)
  const forAll = { timeoutMs: 5_000, silenceMs: 60_000, retries: 1, failuresInARow: 9 }
  const response = [{ propagate: 'x-cost', combine: 'append' }]
  expect(settings.of('sales')).toEqual({
    ...forAll,
    probePauseMs: 250,
    request: [{ propagate: 'authorization' }],
    response,
  })
  expect(settings.of('books')).toMatchObject({
    ...forAll,
    url: 'https://books/graphql',
    retries: 4,
    connections: 8,
    probePauseMs: 1_000,
    tls: { ca: expect.stringContaining('CERT'), cert: expect.any(String), key: expect.any(String) },
    subscriptions: { protocol: 'sse', path: '/stream' },
    request: [{ propagate: 'authorization' }, { insert: 'x-key', value: 'k' }],
    response,
  })
  expect(settings.authorization).toEqual({
    rejects: true,
    policies: { url: 'https://policies', timeoutMs: 1_000, cacheMs: 60_000, token: 't' },
  })
  expect(settings.labels).toEqual({ 'new-sales': true, half: 50 })
  expect(settings.env).toEqual({
    SUPERGRAPH: join(folder, 'supergraph.graphql'),
    ...{ PORT: '4123', OPERATION_MAX_DEPTH: '12', INTROSPECTION: 'false' },
  })
})

test('the published schema accepts the file as it is written', () => {
  const validate = new Ajv({ allowUnionTypes: true, formats: { regex: true } }).compile(schema)
  validate(parseYaml(WHOLE, 'it'))
  expect(validate.errors).toBeNull()
  expect(validate({ all: { timeout: 'soon' } })).toBe(false)
  expect(validate({ all: { headers: { request: [{ propagate: 'a', remove: 'b' }] } } })).toBe(false)
})

test('every fault is listed at once, with its line and place', () => {
  const text = `all:
  timeout: soon
  retries: many
  headers:
    request:
      - propagate: a
        remove: b
      - propagate: "not a name"
subgraphs:
  books:
    adress: https://books
    subscriptions:
      protocol: carrier-pigeon
settings:
  HOTS: 127.0.0.1
`
  expect(faultsOf(() => read(text)).sort()).toEqual([
    'F:11 subgraphs.books.adress: no such attribute',
    'F:13 subgraphs.books.subscriptions.protocol: expected one of websocket, sse',
    'F:15 settings.HOTS: no such attribute',
    'F:2 all.timeout: it must be a duration such as 500ms, 30s or 2m',
    'F:3 all.retries: it must be integer',
    'F:6 all.headers.request.0: expected exactly one of propagate, matching, insert, remove',
    'F:8 all.headers.request.1.propagate: it must be the name of a header',
  ])
})

test('faults of rules, of files and of the environment have their places, too', () => {
  const text = `all:
  headers:
    request:
      - propagate: host
      - insert: x-user
      - remove: a
        as: b
    response:
      - propagate: cache-control
subgraphs:
  books: { tls: { certificate: none.pem } }
`
  expect(faultsOf(() => read(`${text}overrideLabels: { a: b }\n`))).toEqual([
    expect.stringMatching(/^F:12 overrideLabels.a: it must be/),
    'F:4 all.headers.request.0: host is a header of the gateway itself',
    'F:5 all.headers.request.1: insert needs either value or claim',
    'F:6 all.headers.request.2: as has no meaning beside remove',
    'F:9 all.headers.response.0: cache-control is a header of the gateway itself',
    'F:11 subgraphs.books.tls: certificate and key need each other',
    expect.stringMatching(/^F:11 subgraphs.books.tls.certificate: none.pem cannot be used: ENOENT/),
  ])
  expect(faultsOf(() => read('all:\n  timeout: "{env.SURELY_NOT}"\n  retries:\n'))).toEqual([
    'F:2 all.timeout: the environment has no SURELY_NOT',
    'F:3 all.retries: it has no value',
  ])
  expect(faultsOf(() => read('# nothing\n'))).toEqual(['F is empty'])
  expect(faultsOf(() => read('all: [\n'))[0]).toMatch(/^F is no YAML: .*line 2/)
})

test('the faults of the file and of the environment are one message, and the environment wins', () => {
  writeFileSync(file, 'settings: { PORT: 4123 }\nall: { retries: many }\n')
  expect(
    faultsOf(() => supergraphConfig({ GATEWAY_CONFIG: file, LOG_LEVEL: 'loud' })).sort(),
  ).toEqual(['F:2 all.retries: it must be integer', expect.stringMatching(/^LOG_LEVEL must be/)])

  writeFileSync(file, 'supergraph: a.graphql\nsettings: { PORT: 4123, APQ: false }\n')
  const config = supergraphConfig({ GATEWAY_CONFIG: file, PORT: '4999' })
  expect([config?.file, config?.port, config?.rules.automaticDocuments]).toEqual([
    join(folder, 'a.graphql'),
    4999,
    false,
  ])
  writeFileSync(file, 'all: { retries: 0 }\n')
  expect(faultsOf(() => supergraphConfig({ GATEWAY_CONFIG: file }))).toEqual([
    'SUPERGRAPH must be set, or supergraph in the file of GATEWAY_CONFIG',
  ])
})

test('cacheHints needs the names of all headers that clients pass on', () => {
  const rules = (rule: string) =>
    `cacheHints: public\nall: { headers: { request: [{ ${rule} }] } }\n`
  expect(read(rules('propagate: x-tenant'), ENV).cacheHints).toBe('public')
  expect(() => read(rules('matching: "^x-"'), ENV)).toThrow(
    /:1 cacheHints: rules of requests with `matching`/,
  )
})
