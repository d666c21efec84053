import {
  HOUR_MS,
  refusalOf,
  type StartFacts,
} from '../../../subgraphs/test-execution/triggers/decide.ts'

const NOW = new Date('2026-11-29T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(+NOW - minutes * 60_000)
const FREE: StartFacts = { isEnabled: true, perHour: 2, paused: null, chain: [], started: [] }
const refused = (facts: Partial<StartFacts>) => refusalOf('t', { ...FREE, ...facts }, NOW)

test.each<[string, Partial<StartFacts>]>([
  ['nothing has started it', {}],
  ['fewer have started than may', { started: [minutesAgo(5)] }],
  ['only other triggers led to the event', { chain: ['a', 'b'] }],
])('a trigger starts where %s', (_, facts) => {
  expect(refused(facts)).toBeNull()
})

test.each<[string, Partial<StartFacts>, string, string, number | undefined]>([
  ['all are paused', { paused: 'restored' }, 'OVERLOADED', 'starts anything: restored', 60],
  ['it is not enabled', { isEnabled: false }, 'CONFLICT', 'is not enabled', undefined],
  ['its own execution led there', { chain: ['t'] }, 'CONFLICT', '(t → t)', undefined],
  ['a loop goes through another', { chain: ['t', 'u'] }, 'CONFLICT', '(t → u → t)', undefined],
  [
    'the hour is full',
    { started: [minutesAgo(45), minutesAgo(10)] },
    'RATE_LIMITED',
    '2 executions within an hour, as many as it may (perHour)',
    15 * 60,
  ],
  [
    'the limit was lowered since',
    { perHour: 1, started: [minutesAgo(45), minutesAgo(10)] },
    'RATE_LIMITED',
    'perHour',
    50 * 60,
  ],
  [
    'the earliest start is about to count no more',
    { perHour: 1, started: [new Date(+NOW - HOUR_MS)] },
    'RATE_LIMITED',
    'perHour',
    1,
  ],
])('a trigger starts nothing where %s', (_, facts, code, message, retryAfterSeconds) => {
  const refusal = refused(facts)
  expect(refusal?.extensions).toEqual({ code, retryAfterSeconds })
  expect(refusal?.message).toContain(message)
})
