import { ok, withTimestamps } from '../answers.ts'
import { GENERATED_ID, inQuery, inWords, RESULT_ID, showing } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { badQuery, parseInstant, parseWord } from '../parameters.ts'
import { parseResultFilter, RESULT_FILTER } from '../result-filter.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Results')

const COUNTS = 'total running completed failed error passRate durationP50Ms durationP95Ms'

/** GraphQL fields of statistics, and of a scenario or suite that is flaky. */
export const STATISTICS = `${COUNTS} buckets { start ${COUNTS} }`
export const FLAKY = 'contextId type name runs changes score lastState'
export const COMPARISON = `before { id } after { id } steps { path environmentId name change stateBefore stateAfter
  durationMsBefore durationMsAfter messageBefore messageAfter }`

const INTERVALS = ['day', 'minute', 'hour', 'week'] as const

const FROM = showing(inQuery('from', 'The beginning, in ISO 8601.'), '2026-01-01T00:00:00Z')

const integer = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d{1,4}$/.test(text)) return Number(text)
  throw badQuery(name, 'an integer')
}

/** Statistics of executions. These rows stand before those of single results: their names are no ids. */
export const resultStatistics: readonly Route[] = [
  route<{ executionStatistics: { buckets: object[] } }>({
    method: 'get',
    path: '/result/statistics',
    summary: 'Count executions over time, with pass rate and durations',
    parameters: [
      inWords('interval', 'What each bucket covers, in any case.', INTERVALS),
      FROM,
      showing(inQuery('to', 'The end, in ISO 8601; now if absent.'), '2026-02-01T00:00:00Z'),
      showing(
        inQuery('timeZone', 'The zone in which days and weeks begin; UTC if absent.'),
        'Europe/Berlin',
      ),
      RESULT_FILTER,
    ],
    strictQuery: true,
    operation: `query Statistics($interval: ExecutionInterval!, $from: DateTime, $to: DateTime, $timeZone: String, $filter: ExecutionResultFilter) {
      executionStatistics(interval: $interval, from: $from, to: $to, timeZone: $timeZone, filter: $filter) { ${STATISTICS} } }`,
    variables: (request) => ({
      interval: parseWord('interval', request.query.interval, INTERVALS).toUpperCase(),
      from: parseInstant('from', request.query.from),
      to: parseInstant('to', request.query.to),
      timeZone: request.query.timeZone,
      filter: parseResultFilter(request),
    }),
    respond: ({ executionStatistics: { buckets, ...whole } }) =>
      ok({ ...whole, buckets: buckets.map(withTimestamps('start')) }),
    answers: { 200: { description: 'The whole span, and its buckets', schema: ref('Statistics') } },
  }),
  route<{ flakyContexts: unknown[] }>({
    method: 'get',
    path: '/result/flaky',
    summary: 'Scenarios and suites whose verdict changes although nothing of them was changed',
    parameters: [
      inQuery('runs', 'The last executions of each that are looked at.', {
        type: 'integer',
        minimum: 2,
        maximum: 1_000,
        default: 50,
      }),
      inQuery('first', 'Items at most.', {
        type: 'integer',
        minimum: 1,
        maximum: 1_000,
        default: 20,
      }),
      FROM,
      RESULT_FILTER,
    ],
    strictQuery: true,
    operation: `query Flaky($runs: Int, $first: Int, $from: DateTime, $filter: ExecutionResultFilter) {
      flakyContexts(runs: $runs, first: $first, from: $from, filter: $filter) { ${FLAKY} } }`,
    variables: (request) => ({
      runs: integer('runs', request.query.runs) ?? 50,
      first: integer('first', request.query.first) ?? 20,
      from: parseInstant('from', request.query.from),
      filter: parseResultFilter(request),
    }),
    respond: ({ flakyContexts }) => ok(flakyContexts),
    answers: {
      200: { description: 'Those that change most often first', schema: listOf(ref('Flaky')) },
    },
  }),
  route<{ compareExecutions: unknown }>({
    method: 'get',
    path: '/result/:resultId/comparison',
    summary: 'Compare an execution with another one, step by step',
    parameters: [
      RESULT_ID,
      showing(
        inQuery(
          'before',
          'Result id of the other one; if absent the last COMPLETED one before it of the same scenario or suite, else the last one.',
        ),
        GENERATED_ID,
      ),
    ],
    strictQuery: true,
    operation: `query Compare($before: ID, $after: ID!) {
      compareExecutions(before: $before, after: $after) { ${COMPARISON} } }`,
    variables: ({ params, query }) => ({ before: query.before ?? null, after: params.resultId }),
    respond: ({ compareExecutions }) => ok(compareExecutions),
    errors: ['NOT_FOUND', 'GONE', 'OPERATION_LIMIT_EXCEEDED'],
    answers: { 200: { description: 'Step beside step', schema: ref('Comparison') } },
  }),
]
