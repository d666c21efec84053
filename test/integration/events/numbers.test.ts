import { setTimeout as delay } from 'node:timers/promises'
import fc from 'fast-check'
import { parseExact } from '../../../formats/json/json.ts'
import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'
import { numberText } from '../../support/number-text.ts'

let events: RunningEvents
beforeAll(async () => {
  events = await runEvents()
})
afterAll(() => events.stop())

const LONG = ['9007199254740993', '1234567890123456789', '-0.1000000000000000055']

/** Sends an event as JSON text. @returns its id */
async function ingest(json: string): Promise<string> {
  const { accepted, errors } = await events.ingest([parseExact(json)])
  expect(errors).toEqual([])
  return accepted[0].id
}

const refused = async (json: string): Promise<string> =>
  (await events.ingest([parseExact(json)])).errors[0]?.message

/** Response of a query, as JSON text. */
const read = async (query: string, variables: Record<string, unknown> = {}): Promise<string> =>
  JSON.stringify(await events.run(query, variables))

const PROPERTIES = `query ($id: ID!) { event(id: $id) {
  properties source { properties } sender { properties } occurrences { nodes { properties } } } }`

test.each(LONG)('%s is read as it was sent, at any depth and in every field', async (number) => {
  const json = `{"long":${number},"deep":{"list":[1,{"n":${number}}]}}`
  const id = await ingest(
    `{"title":"fields","fingerprintFields":["long"],"properties":${json},
      "source":{"ref":"a","properties":${json}},"sender":{"ref":"b","properties":${json}}}`,
  )
  const text = await read(PROPERTIES, { id })
  expect(text.split(number)).toHaveLength(9)
  expect(parseKeys(text)).toEqual(parseKeys(`[${json}]`))
})

/** The keys and values of the first properties in a text, in order of key. */
const parseKeys = (text: string) =>
  /\{"(?:deep|long)".*?\}\]\}[^}]*\}/
    .exec(text)?.[0]
    .match(/"\w+"|[\d.-]+/g)
    ?.toSorted()

test('Numbers that only their last digits tell apart are two events, and spellings of one number are one', async () => {
  const idOf = (number: string) =>
    ingest(`{"title":"t","fingerprintFields":["n"],"properties":{"n":${number}}}`)
  expect(await idOf('9007199254740992')).not.toBe(await idOf('9007199254740993'))
  expect(await idOf('9007199254740993.0')).toBe(await idOf('9007199254740993'))
  expect(await idOf('1')).toBe(await idOf('1.0'))
  expect(await idOf('1')).toBe(await idOf('1e0'))
})

test('A fingerprint is explained with all digits', async () => {
  const id = await ingest(
    '{"title":"t","fingerprintFields":["explained"],"properties":{"explained":9007199254740995}}',
  )
  const query =
    'query ($id: ID!) { event(id: $id) { fingerprintExplanation { used { name value } } } }'
  expect(await read(query, { id })).toContain('{"name":"explained","value":9007199254740995}')
})

/** Waits until the numbers of a key can be looked up. */
async function indexed(key: string): Promise<void> {
  const count = `select count(*)::int as count from events.event_number join events.raw_number using (key) where key = $1`
  while ((await events.sql(count, [key]))[0].count < 9) await delay(20)
}

test.each([
  ['over the tables', false],
  ['over the search tables', true],
])('Queries see the exact number %s', async (how, isIndexed) => {
  const key = `order ${how}`
  for (const last of [2, 3, 4])
    await ingest(
      `{"title":"order ${last}","fingerprintFields":["${key}"],"properties":{"${key}":900719925474099${last}}}`,
    )
  if (isIndexed) await indexed(key)
  const field = `properties.${key.replaceAll(' ', '\\ ')}`
  const titles = async (query: string) => {
    const { events: found, rawEvents } = await events.run(
      'query ($q: String) { events(query: $q) { nodes { title } } rawEvents(query: $q) { nodes { title } } }',
      { q: query },
    )
    const sorted = [found, rawEvents].map(({ nodes }) =>
      nodes
        .map(({ title }: { title: string }) => title.slice(-1))
        .sort()
        .join(''),
    )
    expect(sorted[0]).toBe(sorted[1])
    return sorted[0]
  }
  expect(await titles(`${field}:9007199254740993`)).toBe('3')
  expect(await titles(`${field}:9007199254740993.00`)).toBe('3')
  expect(await titles(`${field}:9.007199254740993e15`)).toBe('3')
  expect(await titles(`${field}:[9007199254740993 TO 9007199254740994]`)).toBe('34')
  expect(await titles(`${field}:{9007199254740992 TO 9007199254740994}`)).toBe('3')
  expect(await titles(`${field}:90071992547409*`)).toBe('234')
})

test.each(['1e400', '-1e400', '1e-400', `1${'0'.repeat(400)}`, `0.${'1'.repeat(1_001)}`])(
  '%s is an error of its event alone',
  async (number) => {
    const { sent, errors } = await events.ingest([
      { title: 'before' },
      parseExact(`{"title":"t","properties":{"a":{"b":[${number}]}}}`),
      parseExact(`{"title":"t","source":{"properties":{"n":${number}}}}`),
      { title: 'behind' },
    ])
    expect(sent).toBe(2)
    expect(errors).toEqual([
      { index: 1, message: expect.stringMatching(/number that cannot be stored: \[properties\]/) },
      {
        index: 2,
        message: expect.stringMatching(/number that cannot be stored: \[source\]/),
      },
    ])
  },
)

test('A long number where something else belongs is an error that names the field', async () => {
  const [number] = LONG
  expect(await refused(`${number}`)).toBe('The event is not a JSON object')
  expect(await refused(`{"title":${number}}`)).toBe('The required field was missing: [title]')
  for (const field of ['source', 'sender', 'properties', 'tags', 'message'])
    expect(await refused(`{"title":"t","${field}":${number}}`)).toBe(
      `The field has the wrong type: [${field}]`,
    )
})

test('Long numbers count with all their digits towards the size of an event', async () => {
  const event = (bytes: number) => {
    const [head, tail] = ['{"title":"t","properties":{"n":9007199254740993,"text":"', '"}}']
    return `${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}`
  }
  await ingest(event(32_768))
  expect(await refused(event(32_769))).toBe('The event is larger than 32768 bytes')
})

test('A repetition under an idempotency key differs by the last digit of a number', async () => {
  const send = (number: string) =>
    events.ingest([parseExact(`{"title":"t","properties":{"n":${number}}}`)], {
      idempotencyKey: 'digits',
    })
  await send('9007199254740993')
  expect(await send('9007199254740993')).toMatchObject({ replayed: true })
  await expect(send('9007199254740992')).rejects.toThrow('another request')
})

test('Literals keep their digits', async () => {
  const { ingestEvents } = await events.run(
    'mutation { ingestEvents(input: { events: [{ title: "literal", properties: { n: 9007199254740993, x: [0.1000000000000000055] } }] }) { accepted { id } } }',
  )
  const text = await read(PROPERTIES, { id: ingestEvents.accepted[0].id })
  expect(text).toContain('"n":9007199254740993')
  expect(text).toContain('[0.1000000000000000055]')
})

/** JSON texts with numbers of any spelling. */
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    numberText,
    fc.constantFrom('true', 'false', 'null'),
    fc.string().map((text) => JSON.stringify(text)),
    fc.array(tie('json'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
    fc.dictionary(fc.string({ maxLength: 5 }), tie('json'), { maxKeys: 4 }).map(
      (members) =>
        `{${Object.entries(members)
          .map(([key, value]) => `${JSON.stringify(key)}:${value}`)
          .join()}}`,
    ),
  ),
}))

/** A text that equal JSON has, whatever the order of its keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`,
  )
  return `{${members.sort().join()}}`
}

test('Any JSON is read with the numbers that were sent', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(json, { minLength: 1, maxLength: 20 }), async (values) => {
      const sent = values.map((value) =>
        parseExact(
          `{"title":"any","fingerprintFields":["id"],"properties":{"id":"${Math.random()}","value":${value}}}`,
        ),
      )
      const { accepted, errors } = await events.ingest(sent)
      expect(errors).toEqual([])
      for (const { index, id } of accepted) {
        const { event } = await events.run('query ($id: ID!) { event(id: $id) { properties } }', {
          id,
        })
        expect(canonical(event.properties.value)).toBe(
          canonical(parseExact(`[${values[index]}]`)).slice(1, -1),
        )
      }
    }),
    { numRuns: 60 },
  )
})
