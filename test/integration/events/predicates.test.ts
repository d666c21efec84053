import type { MikroORM } from '@mikro-orm/postgresql'
import fc from 'fast-check'
import { parseExact } from '../../../formats/json/json.ts'
import { startOrm } from '../../../platform/database/orm.ts'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import type { Table } from '../../../platform/event-query/fields.ts'
import { EventRepository } from '../../../subgraphs/events/read/event.repository.ts'
import { STORAGE } from '../../../subgraphs/events/storage.ts'
import {
  ALL_CHANGES,
  type Change,
  ChangeRepository,
} from '../../../subgraphs/events/stream/change.repository.ts'
import { LowerCaseRepository } from '../../../subgraphs/events/stream/lower-case.repository.ts'
import { compilePredicate } from '../../../subgraphs/events/stream/predicate/predicate.ts'
import { type LowerCase, Subject } from '../../../subgraphs/events/stream/predicate/subject.ts'
import type { StoredEvent } from '../../../subgraphs/events/tables/event.entity.ts'
import { horizonOf } from '../../support/events/index-all.ts'
import { type RunningEvents, runEvents } from '../../support/events/running-events.ts'

const EVENTS = 400
const QUERIES = 600
/** The database judges the rest. */
const LEAST_DECIDED = 0.8

let events: RunningEvents
let orm: MikroORM
let changes: Change[]
let byId: Map<string, StoredEvent>
let lower: LowerCase
let repository: ChangeRepository

/** Few letters, so that queries meet what is stored; some are more than a byte, or have several cases. */
const LETTERS = [
  'a',
  'b',
  'A',
  'B',
  ' ',
  '_',
  '%',
  '\\',
  '*',
  'é',
  'É',
  'ß',
  'Σ',
  'σ',
  'İ',
  '日',
  '😀',
  '"',
  '\n',
]
const text = fc.oneof(
  { arbitrary: fc.constantFrom('a', 'A', 'ab', 'É', 'a_', 'σ', 'aσ 😀'), weight: 3 },
  {
    arbitrary: fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 6 }),
    weight: 1,
  },
)
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, 1e21, 1e-7, 100))
const numberText = fc.constantFrom(
  '0',
  '1',
  '-1',
  '2',
  '0.5',
  '1e21',
  '9007199254740993',
  '9007199254740992',
  '1.0',
  '100',
  '1e2',
  '007',
)
const value = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 2 }),
  fc.record({ a: text }),
)
const KEYS = ['a', 'b c', '__proto__']
const DAYS = ['2026-11-01T00:00:00.000Z', '2026-11-01T12:30:00.123Z', '2026-11-02T00:00:00.000Z']

const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined, freq: 2 })

const occurrence = fc.record({
  title: text.filter((title) => title.trim() !== ''),
  message: maybe(text),
  severity: fc.constantFrom('INFO', 'warn', 'CRITICAL', 'é'),
  status: fc.constantFrom('OPEN', 'closed', 'odd'),
  tags: fc.array(text, { maxLength: 2 }),
  eventClass: maybe(text),
  createdAt: fc.constantFrom(...DAYS),
  source: fc.record({ ref: maybe(text), type: maybe(text), name: maybe(text) }),
  properties: fc
    .array(fc.tuple(fc.constantFrom('a', 'b c'), value), { maxLength: 2 })
    .map((entries) => Object.fromEntries(entries)),
  fingerprintFields: fc.constant(['@title']),
})

const escaped = (word: string) => word.replaceAll(/[\s()[\]{}":\\*?+!&|-]/gu, '\\$&')
const word = fc.oneof(
  text.map(escaped),
  fc
    .array(fc.oneof(text.map(escaped), fc.constantFrom('*', '?')), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('')),
  text.map((phrase) => `"${phrase.replaceAll(/["\\]/g, '\\$&')}"`),
  numberText,
  fc.constantFrom('true', 'INFO', 'warn', 'OPEN', '*', 'odd', 'warn*', 'iN?o', 'O*n', 'od*'),
)
const range = (bound: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc.constantFrom('[', '{'),
      fc.oneof(bound, fc.constant('*')),
      fc.oneof(bound, fc.constant('*')),
      fc.constantFrom(']', '}'),
    )
    .map(([open, from, to, close]) => `${open}${from} TO ${to}${close}`)
const comparison = (bound: fc.Arbitrary<string>) =>
  fc.tuple(fc.constantFrom('>', '>=', '<', '<='), bound).map((pair) => pair.join(''))
const severity = fc.constantFrom('INFO', 'warn', 'Error', 'CRITICAL')
const time = fc.oneof(fc.constantFrom(...DAYS), fc.constantFrom('2026-11-01', '2026-11-02'))
const property = fc.constantFrom(...KEYS.map((key) => `properties.${escaped(key)}`))
const clause = (table: Table): fc.Arbitrary<string> =>
  fc.oneof(
    word,
    fc
      .tuple(
        fc.constantFrom(
          'title',
          'message',
          'severity',
          'status',
          'tags',
          'eventClass',
          'source.ref',
          'source.type',
          'source.name',
        ),
        word,
      )
      .map((pair) => pair.join(':')),
    fc
      .tuple(property, fc.oneof(word, range(numberText), comparison(numberText)))
      .map((pair) => pair.join(':')),
    fc.oneof(property, fc.constant('message')).map((field) => `_exists_:${field}`),
    fc.constant('*:*'),
    fc
      .tuple(
        fc.constantFrom('firstSeenAt', 'lastSeenAt', ...(table === 'raw' ? ['occurredAt'] : [])),
        fc.oneof(time, range(time), comparison(time), fc.constant('*')),
      )
      .map((pair) => pair.join(':')),
    fc
      .oneof(fc.constantFrom('1', '2', '*'), range(fc.constantFrom('1', '2', '+5')))
      .map((seen) => `timesSeen:${seen}`),
    range(fc.constantFrom('a', 'B', 'é')).map((within) => `title:${within}`),
    fc.oneof(range(severity), comparison(severity)).map((within) => `severity:${within}`),
  )
const query = (table: Table): fc.Arbitrary<string> =>
  fc.letrec<{ query: string }>((tie) => ({
    query: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      clause(table),
      fc
        .tuple(tie('query'), fc.constantFrom(' AND ', ' OR ', ' '), tie('query'))
        .map(([a, by, b]) => `(${a}${by}${b})`),
      tie('query').map((part) => `NOT ${part}`),
    ),
  })).query

beforeAll(async () => {
  events = await runEvents()
  const [batch] = fc.sample(fc.array(occurrence, { minLength: EVENTS, maxLength: EVENTS }), 1)
  await events.ingest([
    ...(batch ?? []),
    ...['9007199254740992', '9007199254740993', '1e400'].map((digits) => ({
      title: 'exact',
      properties: { a: parseExact(digits) },
    })),
  ])
  orm = await startOrm({ url: events.url, ...STORAGE, parseJsonb: parseExact })
  repository = new ChangeRepository(orm, horizonOf(orm))
  changes = [...(await repository.read(0, ALL_CHANGES, 10_000)).rows]
  lower = await new LowerCaseRepository(orm).read()
  const ids = changes.map(({ eventId }) => eventId)
  const { found } = await new EventRepository(orm).findByIds(ids)
  byId = new Map(found.map(({ event }) => [event.id, event]))
})
afterAll(async () => {
  await orm.close()
  await events.stop()
})

test.each(['raw', 'event'] as const)(
  'a predicate on %s judges as the database does, whatever the query and the events',
  async (table) => {
    let asked = 0
    let undecided = 0
    let mixed = 0
    await fc.assert(
      fc.asyncProperty(query(table), async (source) => {
        const conditions = conditionsOf(source, table)
        if (!conditions) return
        const { judge } = compilePredicate(source, lower)
        const matching = new Set(await repository.select(changes, { table, conditions }))
        if (matching.size > 0 && matching.size < changes.length) mixed++
        for (const change of changes) {
          const event = byId.get(change.eventId)
          const occurred = table === 'raw' ? (change.occurrence ?? undefined) : undefined
          const verdict = judge(new Subject(occurred, event, lower))
          asked++
          if (verdict === undefined) undecided++
          else if (verdict !== matching.has(change))
            throw new Error(
              `${source} is ${verdict} here, and not in the database, for ${JSON.stringify(occurred ?? event)}`,
            )
        }
      }),
      { numRuns: QUERIES },
    )
    // Queries that tell events apart, or the test would prove nothing.
    expect(mixed).toBeGreaterThan(QUERIES / 4)
    expect(1 - undecided / asked).toBeGreaterThan(LEAST_DECIDED)
  },
)

/** @returns undefined for what is no query */
function conditionsOf(source: string, table: Table) {
  try {
    return compileQuery(source, table)
  } catch {
    return undefined
  }
}
