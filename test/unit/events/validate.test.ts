import { type Verdict, validate } from '../../../subgraphs/events/ingestion/validate.ts'

const NOW = new Date('2026-11-20T12:00:00Z')
const errorOf = (item: unknown, strict = false): string | undefined => {
  const verdict: Verdict = validate(item, NOW, { strict })
  return 'error' in verdict ? verdict.error : undefined
}
const accept = (item: object) => {
  const verdict = validate({ title: 'T', ...item }, NOW)
  if ('error' in verdict) throw new Error(verdict.error)
  return verdict.occurrence
}

const missing = (field: string) => `The required field was missing: [${field}]`
const wrongType = (field: string) => `The field has the wrong type: [${field}]`
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, 1]))
const padded = (bytes: number) => {
  const message = 'x'.repeat(bytes - JSON.stringify({ title: 'T', message: '' }).length)
  return { title: 'T', message }
}
const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels))

test.each([
  ['no title', {}, missing('title')],
  ['a blank title', { title: ' \t' }, missing('title')],
  ['a null title', { title: null }, missing('title')],
  ['a title that is no text', { title: 7 }, missing('title')],
  ['text', 'title', 'The event is not a JSON object'],
  ['an array', [{ title: 'T' }], 'The event is not a JSON object'],
  ['tags that are no list', { title: 'T', tags: 'a' }, wrongType('tags')],
  ['a tag that is no text', { title: 'T', tags: ['a', 1] }, wrongType('tags')],
  ['a message that is no text', { title: 'T', message: {} }, wrongType('message')],
  ['a severity that is no text', { title: 'T', severity: 5 }, wrongType('severity')],
  ['a source that is text', { title: 'T', source: 'h' }, wrongType('source')],
  [
    'a source reference that is no text',
    { title: 'T', source: { ref: 1 } },
    wrongType('source.ref'),
  ],
  ['properties that are a list', { title: 'T', properties: ['a'] }, wrongType('properties')],
  ['a message that is an empty list', { title: 'T', message: [] }, wrongType('message')],
  [
    'an unreadable time',
    { title: 'T', createdAt: 'soon' },
    'The field cannot be read as a time: [createdAt]',
  ],
  ['NUL', { title: 'a\0b' }, 'The field holds a character that cannot be stored: [title]'],
  [
    'half a surrogate pair, deep inside',
    { title: 'T', properties: { a: [{ '\ud800': 1 }] } },
    'The field holds a character that cannot be stored: [properties]',
  ],
  [
    '129 properties',
    { title: 'T', properties: keys(129) },
    'The event has more than 128 properties',
  ],
  ['101 tags', { title: 'T', tags: Array(101).fill('a') }, 'The event has more than 100 tags'],
  ['32769 bytes', padded(32_769), 'The event is larger than 32768 bytes'],
  [
    '32769 bytes besides fields that are ignored',
    { ...padded(32_769), foo: 'x' },
    'The event is larger than 32768 bytes',
  ],
  [
    'a pit of brackets',
    { title: 'T', properties: { a: nested(9_000) } },
    'The event is nested deeper than 256 levels',
  ],
])('%s is refused', (_what, item, error) => {
  expect(errorOf(item)).toBe(error)
})

test.each([
  ['exactly 32768 bytes', padded(32_768)],
  [
    '32768 bytes besides fields that are ignored',
    { ...padded(32_768), id: 'x', relatedSources: [{}], ref: 'x', foo: 'x'.repeat(40_000) },
  ],
  ['128 properties', { title: 'T', properties: keys(128) }],
  ['100 tags', { title: 'T', tags: Array(100).fill('a') }],
  [
    'null for every optional field',
    {
      title: 'T',
      message: null,
      source: null,
      sender: null,
      tags: null,
      properties: null,
      severity: null,
      status: null,
      createdAt: null,
      eventClass: null,
      fingerprintFields: null,
    },
  ],
  [
    'fields of a stored event',
    { title: 'T', id: 'x', fingerprint: 7, timesSeen: 'many', relatedSources: {} },
  ],
  ['NUL in a field that is not stored', { title: 'T', unknown: '\0' }],
  ['the text of an escape', { title: '\\u0000', properties: { '\\ud800': '\\udfff' } }],
  ['a whole surrogate pair', { title: '💾' }],
])('%s is accepted', (_what, item) => {
  expect(errorOf(item)).toBeUndefined()
})

test.each([
  [{}, missing('title')],
  [{ title: 'T' }, missing('source')],
  [{ title: 'T', fingerprintFields: ['@title'] }, missing('source')],
  [{ title: 'T', source: {} }, missing('fingerprintFields')],
  [{ title: 'T', source: {}, fingerprintFields: [] }, missing('fingerprintFields')],
  [{ title: 'T', source: {}, fingerprintFields: ['a'] }, undefined],
])('strict: %j → %s', (item, error) => {
  expect(errorOf(item, true)).toBe(error)
})

test('what is absent gets its default', () => {
  expect(accept({})).toMatchObject({
    message: null,
    severity: 'INFO',
    status: 'OK',
    tags: [],
    properties: {},
    sender: null,
    eventClass: null,
    fingerprintFields: ['@title'],
    occurredAt: NOW,
    receivedAt: NOW,
  })
})

test.each([[{}], [{ ref: null, properties: null, host: 'x' }]])(
  'sender %j names nothing, and counts as absent',
  (sender) => {
    expect(accept({ sender }).sender).toBeNull()
  },
)

test.each([
  ['info', 'INFO'],
  ['Critical', 'CRITICAL'],
  ['DOWN', 'DOWN'],
  ['Unknown', 'Unknown'],
])('severity %s is kept as %s', (sent, kept) => {
  expect(accept({ severity: sent }).severity).toBe(kept)
})

test('a clock up to five minutes ahead is believed', () => {
  const at = (ms: number) => new Date(NOW.getTime() + ms).toISOString()
  expect(accept({ createdAt: at(300_000) }).occurredAt.toISOString()).toBe(at(300_000))
  expect(accept({ createdAt: at(300_001) }).occurredAt).toEqual(NOW)
  expect(accept({ createdAt: '0001-01-01T00:00:00Z' }).occurredAt).toEqual(NOW)
})

test.each([
  { properties: [] },
  { source: [] },
  { sender: [] },
  { tags: {} },
  { fingerprintFields: {} },
  { source: { properties: [] } },
  { sender: { properties: [] } },
])('an empty container of the other kind counts as absent: %j', (item) => {
  expect({ ...accept(item), bytes: 0 }).toEqual({ ...accept({}), bytes: 0 })
})

test('an empty container of the other kind is missing where the field is required', () => {
  expect(errorOf({ title: 'T', source: [], fingerprintFields: ['@title'] }, true)).toBe(
    missing('source'),
  )
  expect(errorOf({ title: 'T', source: {}, fingerprintFields: {} }, true)).toBe(
    missing('fingerprintFields'),
  )
})

test('beside an empty container of the other kind, everything else is kept, and judged', () => {
  const source = { ref: 'db', properties: { list: [], object: {} } }
  expect(accept({ tags: {}, source, properties: { none: [] } })).toMatchObject({
    source,
    properties: { none: [] },
    tags: [],
  })
  expect(errorOf({ title: 'T', properties: [], tags: 'a' })).toBe(wrongType('tags'))
})
