import {
  eventIdOf,
  type FingerprintInput,
  fingerprintOf,
  resolveFields,
} from '../../../subgraphs/events/ingestion/event-state.ts'

const base: FingerprintInput = {
  title: 'T',
  message: null,
  severity: 'INFO',
  status: 'OK',
  source: { ref: 'h', type: 'host', name: 'H', properties: null },
  properties: { a: 1, b: 'two', 'a b': true, source: 's', '@x': 'y', list: [1], empty: null },
  eventClass: null,
}
const of = (names: string[], change: Partial<FingerprintInput> = {}) =>
  fingerprintOf({ ...base, ...change }, resolveFields({ ...base, ...change }, names))

test.each([
  ['order of names', ['a', 'b'], ['b', 'a']],
  ['repeats of names', ['a'], ['a', 'a']],
  ['a name that resolves to nothing', ['a'], ['a', '@Title']],
  ['a name of a list', ['a'], ['a', 'list']],
  ['a name of null', ['a'], ['a', 'empty']],
  ['a name that every object inherits', ['a'], ['a', 'toString', '__proto__', 'constructor']],
])('%s has no effect', (_what, one, other) => {
  expect(of(one)).toBe(of(other))
})

test.each([
  ['the title', ['@title'], { title: 'U' }],
  ['a property', ['a'], { properties: { a: 2 } }],
  ['the type of a property', ['a'], { properties: { a: '1' } }],
  ['the name of the source', ['@source.name'], { source: { ...base.source, name: 'I' } }],
  ['the severity', ['@severity'], { severity: 'WARN' }],
  ['the reference of the source, always', [], { source: { ...base.source, ref: 'i' } }],
  ['the type of the source, always', [], { source: { ...base.source, type: 'app' } }],
  ['the event class, always', [], { eventClass: 'c' }],
  ['a property with a blank', ['a b'], { properties: { 'a b': false } }],
  ['a property that reads source', ['source'], { properties: { source: 't' } }],
])('%s makes another event', (_what, names, change) => {
  const { properties, ...rest } = change as Partial<FingerprintInput>
  const changed = { ...rest, properties: { ...base.properties, ...properties } }
  expect(of(names, changed)).not.toBe(of(names))
})

test('names are part of the fingerprint', () => {
  expect(of(['a'], { properties: { a: 1 } })).not.toBe(of(['c'], { properties: { c: 1 } }))
})

test('what is not named does not matter', () => {
  expect(of(['a'], { title: 'U', message: 'm', status: 'OPEN' })).toBe(of(['a']))
})

test('where neither names nor source nor class identify an event, its title does', () => {
  const source = { ref: null, type: null, name: null, properties: null }
  expect(of(['@Title', 'nothing'], { source })).toBe(of(['@title'], { source }))
  expect(of(['@Title'], { source: { ...source, ref: 'h' } })).not.toBe(
    of(['@title'], { source: { ...source, ref: 'h' } }),
  )
})

test('the explanation tells used names from ignored ones', () => {
  expect(resolveFields(base, ['b', 'a', '@Title', '@x', 'a'])).toEqual({
    used: [
      ['@x', 'y'],
      ['a', 1],
      ['b', 'two'],
    ],
    ignored: ['@Title'],
  })
})

test('an event id is a UUID of version 8 that the fingerprint determines', () => {
  const id = eventIdOf(of(['a']))
  expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(eventIdOf(of(['a']))).toBe(id)
})
