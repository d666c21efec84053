import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { type Assay, startAssay } from '../../support/assay.ts'
import { readUntil } from '../calls.ts'
import { type ApiDocument, operationsOf } from '../documents.ts'
import { type Attack, attackOn, bodiesBesides, hangUp, type RawAnswer, sendRaw } from './hostile.ts'

/** The number of attacks on every operation. They are always the same, and each must be answered in time. */
const RUNS = {
  seed: 20_260_131,
  numRuns: 12,
  interruptAfterTimeLimit: 120_000,
  markInterruptAsFailure: true,
}

/** Remains of all attacks together in the process, at most. */
const LEFT = { megabytes: 400, files: 20 }

/** Traces of the inside of the product in an answer. */
const TRACE = /node_modules|\bat \S+ \(\S+:\d+:\d+\)|dist\/|\bselect .+ from\b|root:x:0/i

/** Refusals that every address may answer with: of HTTP itself, and of what an address or body cannot be. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 405, 413, 414, 415, 431])

const file = new URL('../../../schema/openapi.json', import.meta.url)
const document = JSON.parse(readFileSync(file, 'utf8')) as ApiDocument & {
  components: { schemas: Record<string, { properties: object }> }
}
const operations = operationsOf(document)
const posting = operations.filter(({ operation }) => operation.requestBody)

type OperationOfDocument = (typeof operations)[number]

let assay: Assay
let base: string
let before: unknown
let held: Held

const loanSchedule = async () => (await fetch(`${base}/component/loan-schedule`)).json()

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
  base = `${assay.url}/api`
  before = await loanSchedule()
  held = await heldNow()
})

afterAll(async () => {
  hangUp()
  await assay.stop()
})

interface Held {
  requests: number
  files: number
  megabytes: number
}

/** Memory and connections of the process, from its own metrics. */
async function heldNow(): Promise<Held> {
  const metrics = await (await fetch(`${assay.url}/metrics`)).text()
  const sample = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1])
  return {
    requests: sample('assay_http_requests_in_flight'),
    files: sample('process_open_fds'),
    megabytes: sample('process_resident_memory_bytes') / 2 ** 20,
  }
}

const exampleOf = ({ operation }: OperationOfDocument) =>
  operation.requestBody?.content['application/json'].example as object | undefined

/** The attributes that a body may have, by the schemas of the document. */
function attributesOf(named: OperationOfDocument): string[] {
  const example = exampleOf(named)
  if (!example) return []
  const names = JSON.stringify(named.operation.requestBody).matchAll(/schemas\/(\w+)"/g)
  const schemas = [...names].map(([, name = '']) => document.components.schemas[name])
  return schemas.flatMap((schema) => Object.keys(schema?.properties ?? {}))
}

/** Sends the examples of an operation, changed as an attack says. */
function attack(named: OperationOfDocument, changes: Attack): Promise<RawAnswer> {
  const { method, path, operation } = named
  const values = (place: 'path' | 'query' | 'headers', changed: Attack['path']) =>
    new Map([
      ...operation.parameters
        .filter(
          (each) => each.in === place.replace('headers', 'header') && each.example !== undefined,
        )
        .map((each): [string, string] => [each.name, encodeURIComponent(String(each.example))]),
      ...changed.map(({ name, value }): [string, string] => [name, value]),
    ])
  const inPath = values('path', changes.path)
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name) => inPath.get(name) ?? 'no-such-result')
  const query = [...values('query', changes.query)].map(([name, value]) => `${name}=${value}`)
  const example = exampleOf(named)
  const text = JSON.stringify(
    example &&
      Object.fromEntries([
        ...Object.entries(example),
        ...changes.body.map(({ name, value }) => [name, value]),
      ]),
  )
  return sendRaw(
    base,
    method,
    `${address}?${query.join('&')}`,
    {
      ...Object.fromEntries(values('headers', changes.headers)),
      ...(text ? { 'content-type': 'application/json' } : {}),
    },
    text ? Buffer.from(text) : undefined,
  )
}

/** Asserts that an answer is one of those that the document promises, or a refusal, and reveals no internals. */
function expectCalm({ operation }: OperationOfDocument, { status, headers, text }: RawAnswer) {
  const promised = String(status) in operation.responses || REFUSALS.has(status)
  expect({ status: promised ? 'promised' : status, text }).toEqual({ status: 'promised', text })
  expect(text).not.toMatch(TRACE)
  expect(headers['cache-control']).toBe(headers.etag ? 'private, no-cache' : 'no-store')
  expect(headers).not.toHaveProperty('x-injected')
  if (status >= 400 && status !== 431)
    expect(JSON.parse(text)).toMatchObject(
      operation.tags[0] === 'Events' && 'result' in JSON.parse(text)
        ? { result: { sent: 0 } }
        : { status, code: expect.any(String) },
    )
}

test.each(operations)('$name stays calm whatever it is sent', async (named) => {
  await fc.assert(
    fc.asyncProperty(attackOn(named.operation, attributesOf(named)), async (changes) =>
      expectCalm(named, await attack(named, changes)),
    ),
    RUNS,
  )
})

test.each(posting)('$name stays calm whatever its body is', async (named) => {
  const path = named.path.replaceAll(/\{\w+\}/g, 'x')
  const headers = { 'content-type': 'application/json' }
  for (const [what, body] of bodiesBesides(exampleOf(named) ?? {})) {
    const answer = await sendRaw(base, named.method, path, headers, body)
    expectCalm(named, { ...answer, text: answer.text.replaceAll(what, '') })
  }
})

test.each([
  ['10 000 query parameters', '/component?'.padEnd(20_011, 'a&'), [431]],
  ['the longest accepted query', '/component/tax-table?'.padEnd(15_000, 'a&'), [200]],
  [
    'the longest accepted query, where unknown parameters are refused,',
    '/component?'.padEnd(15_000, 'a&'),
    [400],
  ],
  ['nested query parameters', `/component?a${'[a]'.repeat(4_000)}=1`, [400]],
  ['a path out of the root', '/../../../../etc/passwd', [404]],
  ['the same, encoded', '/%2e%2e/%2e%2e/%2e%2e/etc/passwd', [404]],
  ['a file besides those of the explorer', '/swagger-ui/..%2f..%2fpackage.json', [404]],
  ['a path without end', `/${'a/'.repeat(7_000)}`, [404]],
])('%s do no harm', async (_, path, statuses) => {
  const { status, text } = await sendRaw(base, 'GET', path, {})
  expect(statuses).toContain(status)
  expect(text).not.toMatch(TRACE)
})

test('all attacks together leave no request, no file and little memory behind', async () => {
  hangUp()
  const { requests, files, megabytes } = await readUntil(
    heldNow,
    // The one that asks is in flight itself.
    (now) => now.requests <= 1 && now.files <= held.files + LEFT.files,
  )
  expect({ requests, files: Number.isNaN(files) }).toEqual({ requests: 1, files: false })
  expect(megabytes - held.megabytes).toBeLessThan(LEFT.megabytes)
  expect(await assay.sandboxes()).toEqual([])
})

test('afterwards the product is as it was, and its log is a line of JSON for each thing that it says', async () => {
  expect(await loanSchedule()).toEqual(before)
  const lines = assay
    .logs()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  for (const line of lines) expect(JSON.parse(line).level).toBeLessThan(50)
})
