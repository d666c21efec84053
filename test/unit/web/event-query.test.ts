import { parseQuery } from '../../../platform/event-query/parse.ts'
import { clausesOf, followed, identityOf } from '../../../web/src/events/query.ts'
import { hasClause, toggled } from '../../../web/src/events/search.ts'
import type { EventRowFragment } from '../../../web/src/graph/generated.ts'

/** Meaning of a query, without the places of its parts. */
const meaning = (query: string): unknown =>
  JSON.parse(
    JSON.stringify(parseQuery(query), (key, value) =>
      key === 'offset' ? 0 : key === 'field' && value ? value.name : value,
    ),
  )

const ALL = [
  'disk',
  'disk full',
  'disk AND full',
  'disk && "no room" && -cpu',
  'title: "a OR b" AND status:OPEN',
  'tags:(a OR b) NOT status:CLOSED',
  '- disk !cpu +fan',
  'timesSeen:> 5 AND lastSeenAt:[2026-01-01 TO *]',
  'title:"say \\"OR\\"" a\\ OR\\ b',
  'message: "OR" fan',
  'disk - full',
  'disk => "-" ? full',
  'lastSeenAt:>now-1h fan',
]
const UNSURE = [
  'disk OR cpu',
  'disk || cpu',
  'disk AND cpu OR fan',
  '"disk"OR cpu',
  '(disk)OR(cpu)',
  'disk OR(cpu)',
  'severity : ERROR disk',
  'severity :ERROR disk',
]

test.each(ALL)('the clauses of %s together mean the same', (query) => {
  expect(meaning((clausesOf(query) ?? []).join(' AND '))).toEqual(meaning(query))
})

test.each([...ALL, ...UNSURE])('a quick filter narrows %s as a whole', (query) => {
  const filtered = toggled(query, 'severity:WARN')
  expect(hasClause(filtered, 'severity:WARN')).toBe(true)
  expect(meaning(filtered)).toEqual(meaning(`(${query}) AND severity:WARN`.replace(...FLAT(query))))
  expect(meaning(toggled(filtered, 'severity:WARN'))).toEqual(meaning(query))
})

/** Parentheses around clauses that must all hold nest what is flat without them. */
const FLAT = (query: string): [string, string] => [
  `(${query})`,
  UNSURE.includes(query) ? `(${query})` : query,
]

test.each(['"disk', '(disk', 'disk)', 'disk\\', 'NOT'])(
  'the clauses of %s, which is no query, are not sure',
  (query) => {
    expect(clausesOf(query)).toBe(null)
  },
)

test('a quick filter of an empty query stands alone, and leaves it empty', () => {
  expect(toggled(' ', 'status:OPEN')).toBe('status:OPEN')
  expect(toggled('status:OPEN', 'status:OPEN')).toBe('')
})

const row = (status: string, severity = 'WARN') => ({ status, severity }) as EventRowFragment // the rest is not judged

test.each([
  [null, null, [], ['CLOSED']],
  ['status:OPEN', null, ['CLOSED'], ['OPEN']],
  ['disk AND status:open', 'disk', ['CLOSED'], ['OPEN']],
  ['NOT status:CLOSED', null, ['CLOSED'], ['OPEN', 'OK']],
  ['-status:CLOSED full', 'full', ['CLOSED'], ['OPEN']],
  ['- status:OPEN', null, ['CLOSED'], ['OPEN']],
  ['status:(OPEN OR ACKNOWLEDGED)', null, ['CLOSED'], ['OPEN', 'ACKNOWLEDGED']],
  ['severity:ERROR', null, ['OPEN'], []],
  ['status:mine', 'status:mine', [], ['OPEN']],
  ['disk OR status:OPEN', 'disk OR status:OPEN', [], ['CLOSED']],
])('of %s the stream is asked for %s', (query, others, unwanted, wanted) => {
  const judged = followed(query)
  expect(judged.others).toBe(others)
  expect(unwanted.map((status) => judged.isWanted(row(status)))).toEqual(unwanted.map(() => false))
  expect(wanted.map((status) => judged.isWanted(row(status)))).toEqual(wanted.map(() => true))
})

const term = (field: string, text: string, like: string | null = null) => ({
  kind: 'term',
  field,
  word: { text, like },
  offset: 0,
})

test('an event is followed by what its fingerprint is formed of, whatever its title becomes', () => {
  const event = {
    title: 'Disk 93 % full',
    source: { ref: 'C:\\db "1"\nsecond', type: null },
    eventClass: 'disk',
    fingerprintExplanation: { used: [{ name: '@source.ref' }, { name: 'volume' }] },
  }
  const query = identityOf(event)
  expect(meaning(query)).toEqual({
    kind: 'and',
    parts: [
      term('source.ref', event.source.ref),
      { kind: 'not', part: term('source.type', '*', '%') },
      term('eventClass', 'disk'),
    ],
  })
  expect(identityOf({ ...event, title: 'Disk 95 % full' })).toBe(query)
})

test('an event whose title is part of its fingerprint is followed by the start of it, too', () => {
  const query = identityOf({
    title: '💾'.repeat(4_000),
    source: null,
    eventClass: null,
    fingerprintExplanation: { used: [{ name: '@title' }] },
  })
  expect(meaning(query)).toMatchObject({
    parts: [{ kind: 'not' }, { kind: 'not' }, { kind: 'not' }, term('title', '💾'.repeat(500))],
  })
})
