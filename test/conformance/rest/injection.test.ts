import { create as readXml } from 'xmlbuilder2'
import { type Assay, startAssay } from '../../_support/assay.ts'
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
