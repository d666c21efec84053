import { create as readXml } from 'xmlbuilder2'
import { type Assay, startAssay } from '../../support/assay.ts'
import { create, idsOf, RESOURCES, send, unique } from '../artifacts.ts'
import { call } from '../calls.ts'
import { accept, type Raw, type StoredEvent } from '../events.ts'
import { execute, readDetails } from '../executions.ts'
import { checkAgainst } from '../row.ts'
import { TEXTS } from './hostile.ts'

let assay: Assay

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
  checkAgainst(assay.url)
})

afterAll(() => assay.stop())

/** No database of ours keeps NUL and halves of characters: they are refused. */
const storable = TEXTS.filter((text) => !text.includes('\0') && text.isWellFormed())
const names = storable.filter((text) => text.trim() !== '' && text.length <= 255)

/** In a scenario `{{…}}` stands for a value. */
const ofScenarios = names.filter((text) => !text.includes('{{')).join('|')

/** In a filter `*` is a wildcard. */
const literal = (text: string) => text.replaceAll('*', '\\*')

test.each(RESOURCES)(
  'texts of a $name are read as they were written, and found',
  async ({ name: kind }) => {
    for (const text of names) {
      const artifact = await create(kind, { name: text, description: text })
      const { body } = await call('GET', `/${kind}/${artifact.id}`)
      expect(body).toEqual(artifact)
      expect(artifact).toMatchObject({ name: text, description: text })
      expect([text, await idsOf(kind, { name: literal(text) })]).toEqual([text, [artifact.id]])
    }
  },
)

test('texts within an artifact are read as they were written', async () => {
  const text = ofScenarios
  const step = {
    id: 'one',
    name: text.slice(0, 200),
    call: { function: 'any', args: [{ [text]: text }] },
    expect: [{ name: text.slice(-200), path: '$', assert: 'equals', value: text }],
  }
  for (const [kind, attributes] of [
    ['component', { sourceCode: text }],
    ['testcase', { tags: storable, scenario: { steps: [step] } }],
    ['environment', { variables: { text } }],
  ] as const)
    expect(await create(kind, attributes)).toMatchObject(attributes)
})

test('texts of an event are read as they were sent, and found', async () => {
  for (const text of names) {
    const source = { ref: text, type: text, name: text, properties: { [text]: text } }
    const event: Raw = {
      title: text,
      fingerprintFields: ['@title', text],
      message: text,
      eventClass: text,
      tags: [text],
      properties: { [text]: text },
      source,
      sender: source,
    }
    const id = await accept(event)
    const { body } = await call<StoredEvent>('GET', `/v1/events/${id}`)
    expect(body).toMatchObject(event)
    const q = `title:"${text.replaceAll(/["\\*?]/g, '\\$&')}"`
    const found = await call<{ items: StoredEvent[] }>(
      'GET',
      `/v1/events?${new URLSearchParams({ q })}`,
    )
    expect([q, found.status]).toEqual([q, 200])
    expect(found.body.items.map((each) => each.id)).toContain(id)
  }
})

test.each(['\0', '\ud800'])('%j in a name is refused', async (text) => {
  for (const { name: kind, attributes } of RESOURCES) {
    const { status, body } = await send('POST', `/${kind}`, { ...attributes, name: `a${text}b` })
    expect([status, body]).toEqual([400, expect.objectContaining({ code: 'BAD_USER_INPUT' })])
  }
})

const inFilter = (filter: object) => new URLSearchParams({ filter: JSON.stringify(filter) })

test.each([
  ...[
    { name: '\0' },
    { contextId: ['a\0'] },
    { executedBy: '*\0' },
    { environment: '\0' },
    { text: '\0' },
    { labels: { build: '\0' } },
    { labels: { '\0': '1' } },
  ].map((filter) => `/result/count?${inFilter(filter)}`),
  `/result?${inFilter({ name: '\0' })}`,
  `/result/statistics?${inFilter({ name: '\0' })}`,
  `/result/flaky?${inFilter({ name: '\0' })}`,
  ...['user', 'action', 'target'].map((name) => `/audit?${name}=%00`),
])('GET %s, which holds NUL, is refused with 400', async (path) => {
  const { status, body } = await call<{ message: string }>('GET', path)
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'BAD_USER_INPUT' } })
  expect(body.message).toMatch(/^filter\.\S+: expected text without NUL/)
})

test('NUL in a filter of log lines is refused with 400', async () => {
  const { body } = await execute('/testcase/loan-schedule/execute?synchron=true')
  for (const name of ['text', 'source'])
    expect(await call('GET', `/result/${body.id}/log?${name}=%00`)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^filter\.\S+: expected text without NUL/) },
    })
})

test.each(['testcase', 'suite'])('a %s with NUL in its id has no results', async (kind) => {
  expect(await call('GET', `/${kind}/%00/result`)).toMatchObject({ status: 200, body: [] })
  expect(await call('GET', `/${kind}/%00/result/count`)).toMatchObject({ status: 200, body: 0 })
})

test('an event with NUL in its id is unknown', async () => {
  const status = { status: 'OPEN' }
  expect(await send('POST', '/v1/events/%00/status', status)).toMatchObject({ status: 404 })
  const several = await send('POST', '/v1/events/status', { ...status, ids: ['\0'] })
  const items = [{ id: '\0', outcome: 'NOT_FOUND' }]
  expect(several).toMatchObject({ status: 200, body: { items } })
  const two = await send('POST', '/v1/events/status', { ...status, ids: ['\0', '\0a'] })
  expect(two).toMatchObject({ status: 200 })
})

test('a cursor that holds NUL is refused with 400', async () => {
  expect(await call('GET', '/account?cursor=AA')).toMatchObject({
    status: 400,
    body: { message: 'The cursor does not belong to this list' },
  })
})

test('NUL in the e-mail of an account is refused with 400', async () => {
  const { status, body } = await send('POST', '/account', { email: 'a\0@b.c', role: 'READER' })
  expect({ status, body }).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^email:/) },
  })
})

test('NUL in the name of an API token is refused with 400', async () => {
  const token = { name: 'a\0', scopes: ['events:read'] }
  expect(await send('POST', '/account/me/token', token)).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^name: expected text without NUL/) },
  })
})

test('NUL in the name of an import is replaced', async () => {
  const scenarios = [{ name: 'a\0', state: 'COMPLETED', steps: [], tries: [] }]
  const { status, body } = await send('POST', '/executions/import', { name: 'b\0', scenarios })
  expect({ status, body }).toMatchObject({ status: 200 })
})

test('reports are well-formed, and no text forges a line of a log', async () => {
  const text = ofScenarios
  const source = `export const say = (text) => { console.log(text); return text }`
  const component = await create('component', {
    name: unique(text.slice(0, 200)),
    sourceCode: source,
  })
  const scenario = await create('testcase', {
    name: unique(text.slice(0, 200)),
    componentUnderTest: component.id,
    scenario: {
      steps: [
        {
          id: 'say',
          name: text.slice(0, 200),
          call: { function: 'say', args: [text] },
          expect: [{ name: text.slice(-200), path: '$', assert: 'equals', value: `${text}!` }],
        },
      ],
    },
  })
  const { body } = await execute(`/testcase/${scenario.id}/execute?synchron=true`)
  expect(body.validationFailures).toMatchObject([{ name: text.slice(-200), actualValue: text }])
  const { body: details } = await readDetails(body.id)
  const junit = await call<string>('GET', `/result/${body.id}/details?format=junit`)
  for (const report of [details.report, junit.body])
    expect(JSON.stringify(readXml(report).end({ format: 'object' }))).toContain('DROP TABLE')
  for (const line of details.log.split('\n').slice(0, -1))
    expect(line).toMatch(/^\d\d:\d\d:\d\d\.\d{3} [A-Z]+ \S.*? {2}/)
  for (const line of assay
    .logs()
    .split('\n')
    .filter((each) => each.includes('DROP TABLE')))
    expect(JSON.parse(line)).toEqual(expect.any(Object))
})
