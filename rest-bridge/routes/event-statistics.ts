import { ok, withMilliseconds } from '../answers.ts'
import {
  type Answer,
  inPath,
  inQuery,
  inWords,
  type Parameter,
  showing,
} from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { badQuery, parseInstant, parseWord } from '../parameters.ts'
import { type RestRequest, type Route, routesOf } from '../route.ts'

const route = routesOf('Events')

export const QUERY: Parameter = inQuery(
  'q',
  'Lucene syntax, such as `severity:CRITICAL AND -tags:ticketed`; everything if absent.',
  { type: 'string' },
  'status:OPEN',
)

const INTERVALS = ['hour', 'minute', 'five_minutes', 'fifteen_minutes', 'day'] as const

export const SPAN: readonly Parameter[] = [
  inWords('interval', 'What each bucket covers, in any case.', INTERVALS),
  showing(
    inQuery('from', 'The beginning; sixty intervals before the end if absent.'),
    '2026-01-31T00:00:00Z',
  ),
  showing(inQuery('to', 'The end; now if absent.'), '2026-01-31T12:00:00Z'),
]

export const spanOf = ({ query }: RestRequest) => ({
  interval: parseWord('interval', query.interval, INTERVALS).toUpperCase(),
  from: parseInstant('from', query.from),
  to: parseInstant('to', query.to),
})

export const SPAN_VARIABLES = '$interval: HistogramInterval!, $from: DateTime, $to: DateTime'
export const SPAN_ARGUMENTS = 'interval: $interval, from: $from, to: $to'

const WORDS = 'bySeverity { word occurrences events } byStatus { word occurrences events }'
export const BUCKET = `start occurrences ${WORDS}`
export const STATISTICS = `occurrences events ${WORDS} buckets { ${BUCKET} }`
export const FIELD = 'name hasValues'
export const VALUE = 'value events'

const PREFIX = inQuery('prefix', 'How it begins, in any case.', { type: 'string' }, 's')
const MAX_SUGGESTIONS = 100
const DEFAULT_SUGGESTIONS = 20
const FIRST = inQuery('limit', 'Suggestions at most.', {
  type: 'integer',
  minimum: 1,
  maximum: MAX_SUGGESTIONS,
  default: DEFAULT_SUGGESTIONS,
})

/** @throws AppError BAD_USER_INPUT */
function firstOf(limit: string | undefined): number {
  if (limit === undefined) return DEFAULT_SUGGESTIONS
  if (/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MAX_SUGGESTIONS)
    return Number(limit)
  throw badQuery('limit', `1 to ${MAX_SUGGESTIONS}`)
}

export const bucketBody = withMilliseconds('start')

const answer = (schema: string, description: string): Answer => ({
  description,
  schema: ref(schema),
})

/** Numbers about events. */
export const eventStatistics: readonly Route[] = [
  route<{ eventHistogram: object[] }>({
    method: 'get',
    path: '/v1/events/histogram',
    summary: 'Count the occurrences of events that a query selects, by the time of their receipt',
    parameters: [QUERY, ...SPAN],
    strictQuery: true,
    operation: `query Histogram($query: String, ${SPAN_VARIABLES}) {
      eventHistogram(query: $query, ${SPAN_ARGUMENTS}) { start occurrences } }`,
    variables: (request) => ({ query: request.query.q, ...spanOf(request) }),
    respond: ({ eventHistogram }) => ok({ items: eventHistogram.map(bucketBody) }),
    answers: { 200: answer('Histogram', 'A bucket for each interval, also for empty ones') },
  }),
  route<{ eventStatistics: { buckets: object[] } }>({
    method: 'get',
    path: '/v1/events/statistics',
    summary: 'Count occurrences and events by severity, status and time',
    parameters: [QUERY, ...SPAN],
    strictQuery: true,
    operation: `query Statistics($query: String, ${SPAN_VARIABLES}) {
      eventStatistics(query: $query, ${SPAN_ARGUMENTS}) { ${STATISTICS} } }`,
    variables: (request) => ({ query: request.query.q, ...spanOf(request) }),
    respond: ({ eventStatistics: { buckets, ...all } }) =>
      ok({ ...all, buckets: buckets.map(bucketBody) }),
    answers: { 200: answer('EventStatistics', 'What occurred in the span') },
  }),
  route<{ eventFields: object[] }>({
    method: 'get',
    path: '/v1/events/fields',
    summary: 'Suggest fields that queries of events may name',
    parameters: [PREFIX, FIRST],
    strictQuery: true,
    operation: `query Fields($prefix: String!, $first: Int!) {
      eventFields(prefix: $prefix, first: $first) { ${FIELD} } }`,
    variables: ({ query }) => ({ prefix: query.prefix ?? '', first: firstOf(query.limit) }),
    respond: ({ eventFields }) => ok({ items: eventFields }),
    answers: { 200: answer('EventFields', 'Fields of every event, then keys of properties') },
  }),
  route<{ eventFieldValues: object[] }>({
    method: 'get',
    path: '/v1/events/fields/:field/values',
    summary: 'Suggest values of a field, the most frequent first',
    parameters: [inPath('field', 'Name of the field', 'severity'), PREFIX, FIRST],
    strictQuery: true,
    operation: `query FieldValues($field: String!, $prefix: String!, $first: Int!) {
      eventFieldValues(field: $field, prefix: $prefix, first: $first) { ${VALUE} } }`,
    variables: ({ query, params }) => ({
      field: params.field,
      prefix: query.prefix ?? '',
      first: firstOf(query.limit),
    }),
    respond: ({ eventFieldValues }) => ok({ items: eventFieldValues }),
    answers: { 200: answer('EventFieldValues', 'Values of the newest events') },
  }),
]
