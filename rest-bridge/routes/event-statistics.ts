import { type Answer, inQuery, type Parameter } from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { parseInstant, parseWord } from '../parameters.ts'
import { type RestRequest, type Route, route } from '../route.ts'

export const QUERY: Parameter = inQuery(
  'q',
  'Lucene syntax, such as `severity:CRITICAL AND -tags:ticketed`; everything if absent.',
  { type: 'string' },
  'status:OPEN',
)

const INTERVALS = ['hour', 'minute', 'five_minutes', 'fifteen_minutes', 'day'] as const

const SPAN: readonly Parameter[] = [
  inQuery('interval', 'What each bucket covers, in any case.', {
    type: 'string',
    enum: INTERVALS,
    default: INTERVALS[0],
  }),
  inQuery('from', 'The beginning; sixty intervals before the end if absent.'),
  inQuery('to', 'The end; now if absent.'),
]

const spanOf = ({ query }: RestRequest) => ({
  interval: parseWord('interval', query.interval, INTERVALS).toUpperCase(),
  from: parseInstant('from', query.from),
  to: parseInstant('to', query.to),
})

interface Bucket {
  start: string
}

const bucketBody = <Kind extends Bucket>(bucket: Kind) => ({
  ...bucket,
  start: Date.parse(bucket.start),
})

const answer = (schema: string, description: string): Answer => ({
  description,
  schema: ref(schema),
})

/** Numbers about events. */
export const eventStatistics: readonly Route[] = [
  route<{ eventHistogram: Bucket[] }>({
    method: 'get',
    path: '/v1/events/histogram',
    summary: 'Count the occurrences of events that a query selects, by the time of their receipt',
    area: 'Events',
    parameters: [QUERY, ...SPAN],
    operation: `query Histogram($query: String, $interval: HistogramInterval!, $from: DateTime, $to: DateTime) {
      eventHistogram(query: $query, interval: $interval, from: $from, to: $to) { start occurrences } }`,
    variables: (request) => ({ query: request.query.q, ...spanOf(request) }),
    respond: ({ eventHistogram }) => ({
      status: 200,
      body: { items: eventHistogram.map(bucketBody) },
    }),
    errors: ['BAD_USER_INPUT', 'OVERLOADED'],
    answers: { 200: answer('Histogram', 'A bucket for each interval, also for empty ones') },
  }),
]
