import type { MikroORM } from '@mikro-orm/postgresql'
import fc from 'fast-check'
import { startOrm } from '../../../platform/database/orm.ts'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import type { Table } from '../../../platform/event-query/fields.ts'
import { EventRepository } from '../../../subgraphs/events/read/event.repository.ts'
import { RawEventRepository } from '../../../subgraphs/events/read/raw-event.repository.ts'
import { STORAGE } from '../../../subgraphs/events/storage.ts'
import {
  ALL_CHANGES,
  type Change,
  ChangeRepository,
} from '../../../subgraphs/events/stream/change.repository.ts'
import { LowerCaseRepository } from '../../../subgraphs/events/stream/lower-case.repository.ts'
import { compilePredicate } from '../../../subgraphs/events/stream/predicate/predicate.ts'
import { type LowerCase, Subject } from '../../../subgraphs/events/stream/predicate/subject.ts'
import { horizonOf, indexAll } from '../../support/events/index-all.ts'
import { type Data, type RunningEvents, runEvents } from '../../support/events/running-events.ts'

const VALUES = [
  'web-01.example.com',
  'web-02.example.com',
  'api.example.org',
  'example.com',
  'webserver',
  'app-server',
  'payments',
  'late payments',
  '100%_full\\x',
  'full',
  'Größe😀mb',
  'two\nlines',
  'ΟΔΟΣΑΣ.İzmir',
]
const FIELDS = [
  'title',
  'message',
  'eventClass',
  'source.ref',
  'source.type',
  'source.name',
  'tags',
  'severity',
  'status',
]

let events: RunningEvents
let orm: MikroORM
let changes: Change[]
let lower: LowerCase
beforeAll(async () => {
  events = await runEvents()
  const of = (at: number) => VALUES[at % VALUES.length]
  await events.ingest(
    VALUES.map((title, at) => ({
      title,
      message: of(at + 1),
      eventClass: of(at + 2),
      source: { ref: of(at + 3), type: of(at + 4), name: of(at + 5) },
      tags: [of(at + 6), of(at + 7), of(at + 8)],
      severity: at % 3 === 0 ? 'CRITICAL' : of(at + 9),
      status: at % 3 === 0 ? 'acknowledged' : of(at + 10),
    })),
  )
  orm = await startOrm({ url: events.url, ...STORAGE })
  await indexAll(orm)
  changes = [...(await new ChangeRepository(orm, horizonOf(orm)).read(0, ALL_CHANGES, 1_000)).rows]
  lower = await new LowerCaseRepository(orm).read()
})
afterAll(async () => {
  await orm.close()
  await events.stop()
})

const PAGE = { limit: 100, isBackward: false, from: null }
const titlesOf = (rows: readonly { title: string }[]) => rows.map(({ title }) => title).toSorted()

const listed = {
  event: async (query: string) =>
    titlesOf((await new EventRepository(orm).findPage(PAGE, compileQuery(query, 'event'))).nodes),
  raw: async (query: string) =>
    titlesOf((await new RawEventRepository(orm).findPage(PAGE, compileQuery(query, 'raw'))).nodes),
}

function streamed(query: string): string[] {
  const { judge } = compilePredicate(query, lower)
  const received = changes.flatMap(({ occurrence }) => occurrence ?? [])
  return titlesOf(received.filter((raw) => judge(new Subject(raw, undefined, lower))))
}

const escaped = (text: string) => text.replaceAll(/[\s()[\]{}":\\*?+!&|~^<>/-]/gu, '\\$&')

/** Pattern of a stored value, or of known words, so that most of them find something. */
const pattern = fc
  .tuple(
    fc.constantFrom(...VALUES, 'CRITICAL', 'acknowledged', 'ACKNOWLEDGED'),
    fc.nat(),
    fc.nat(),
    fc.constantFrom('*x', 'x*', '*x*', 'a*b', '?x', 'x?', '*a?b', 'x'),
  )
  .map(([value, some, others, kind]) => {
    const signs = [...value]
    const from = some % signs.length
    const to = from + 1 + (others % (signs.length - from))
    const part = (begin: number, end?: number) => escaped(signs.slice(begin, end).join(''))
    const patterns: Record<string, string> = {
      '*x': `*${part(from)}`,
      'x*': `${part(0, to)}*`,
      '*x*': `*${part(from, to)}*`,
      'a*b': `${part(0, from)}*${part(to)}`,
      '?x': `?${part(1)}`,
      'x?': `${part(0, -1)}?`,
      '*a?b': `*${part(from, to - 1)}?${part(to)}`,
      x: part(0),
    }
    return patterns[kind]
  })
const query = fc
  .tuple(fc.constantFrom('', '-'), fc.constantFrom(...FIELDS), pattern)
  .map(([not, field, value]) => `${not}${field}:${value}`)

test('lists find by their index what streams find one by one, whatever the pattern', async () => {
  let mixed = 0
  const runs = 400
  await fc.assert(
    fc.asyncProperty(query, fc.constantFrom<Table>('event', 'raw'), async (source, table) => {
      const expected = streamed(source)
      if (expected.length > 0 && expected.length < VALUES.length) mixed++
      expect(await listed[table](source)).toEqual(expected)
    }),
    { numRuns: runs },
  )
  // Queries that tell events apart, or the test would prove nothing.
  expect(mixed).toBeGreaterThan(runs / 2)
})

const ANSWER = `query ($query: String) { events(query: $query) { nodes { title } totalCount }
  rawEvents(query: $query) { nodes { title } }
  eventHistogram(query: $query, interval: DAY) { occurrences } }`

test.each([
  ['source.ref:*.example.com', 2],
  ['-source.ref:*.example.com', 11],
  ['source.ref:*web*.com', 2],
  ['source.type:*server', 2],
  ['eventClass:*.org', 1],
  ['severity:*cal', 5],
  ['status:*DGED', 5],
  ['tags:*payments', 4],
  ['severity:>=error', 5],
  ['severity:>CRITICAL', 0],
])('%s finds %d in lists, histogram and stream', async (query, count) => {
  const found = await events.run(ANSWER, { query })
  expect(titlesOf(found.events.nodes)).toEqual(streamed(query))
  expect(titlesOf(found.rawEvents.nodes)).toEqual(streamed(query))
  expect(found.events.totalCount).toBe(count)
  const counts: number[] = found.eventHistogram.map(({ occurrences }: Data) => occurrences)
  expect(counts.reduce((sum, each) => sum + each)).toBe(count)
})
