import { AppError, isInDoubt, statusOf } from '../../formats/errors.ts'
import { found, ok } from '../answers.ts'
import { type Listed, listAnswer, listPage, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { inHeader, inPath, inQuery, showing } from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { EventsParser } from '../ingestion/events-parser.ts'
import type { IngestionData } from '../ingestion/parts.ts'
import { parseSort } from '../numbered-lists.ts'
import { badQuery } from '../parameters.ts'
import { type RestRequest, type RestResponse, type Route, routesOf } from '../route.ts'
import { eventImport } from './event-import.ts'
import { eventParts } from './event-parts.ts'
import { RAW_EVENTS } from './event-schemas.ts'
import {
  EVENT,
  type EventData,
  EXAMPLE_ID,
  eventBody,
  RAW_EVENT,
  type RawEventData,
  rawEventBody,
} from './event-shape.ts'
import { eventStatistics, QUERY } from './event-statistics.ts'
import { eventStatus } from './event-status.ts'

const route = routesOf('Events')

/**
 * Larger requests gain nothing. No request of this size nests too deeply to be sent to a subgraph, so that none fails
 * the others.
 */
const MERGED_BYTES = 4_096

const SUCCESS = { ALL: 'true', PARTIAL: 'partial', NONE: 'false' } as const

const EXAMPLE = {
  title: 'Disk almost full',
  severity: 'WARN',
  status: 'OPEN',
  source: { ref: 'db1', type: 'host' },
  properties: { percentUsed: 93 },
}

const LIST_VARIABLES = `$query: String, ${PAGE.variables}`
const LIST_ARGUMENTS = `query: $query, ${PAGE.arguments}`

const SORT = inQuery(
  'sort',
  'firstSeenAt, lastSeenAt, timesSeen, severity, status or title, optionally with a comma and `asc` or `desc`. Without it the event that happened first comes last.',
  { type: 'string' },
  'lastSeenAt,desc',
)

/** @throws AppError BAD_USER_INPUT */
function sortOf(request: RestRequest) {
  const [sort, ...others] = parseSort(request)
  if (others.length > 0) throw badQuery('sort', 'one attribute')
  return sort && { sort }
}

const listVariables = (request: RestRequest) => ({
  query: request.query.q,
  ...parseCursorPage(request),
})

export const ingestion = route<IngestionData>({
  method: 'post',
  path: '/v1/events',
  summary: 'Send one event or many',
  parameters: [
    showing(
      inHeader(
        'Idempotency-Key',
        'The same key within 24 hours gets the first answer again, and nothing is counted twice.',
      ),
      'nightly-build-42',
    ),
  ],
  bulk: { parser: (maxEvents) => new EventsParser(maxEvents), mergedBytes: MERGED_BYTES },
  body: { schema: RAW_EVENTS, example: EXAMPLE },
  // `id`, as subgraphs of the version before have no `eventId`.
  operation: `mutation Ingest($input: IngestEventsInput!) {
      ingestEvents(input: $input) { sent success accepted { index id } errors { index message } replayed } }`,
  variables: ({ body, bodyDigest, headers: { 'idempotency-key': idempotencyKey } }) => ({
    input: {
      events: body,
      // A repetition has to be the same to the byte.
      ...(idempotencyKey !== undefined && { idempotencyKey, idempotencyDigest: bodyDigest }),
    },
  }),
  respond: ({ ingestEvents }) => ingestionAnswer(ingestEvents),
  errors: ['IDEMPOTENCY_MISMATCH'],
  answers: {
    202: {
      description: 'All or some were accepted, and are on disk',
      schema: ref('IngestionResult'),
      headers: {
        'Idempotent-Replayed': '`true` where this is the first answer again',
        'RateLimit-Remaining':
          'Events that may still be sent in this minute; only with a rate limit',
      },
    },
  },
  failure: {
    body: (message) => ({
      result: { sent: 0, success: 'false', errors: [{ index: 0, message }] },
    }),
    schema: ref('IngestionResult'),
  },
  failureOf: repeatable,
})

/** Unlike other changes, events in doubt may be sent again. */
function repeatable(failure: AppError): AppError {
  if (!isInDoubt(failure)) return failure
  return new AppError(
    'OVERLOADED',
    'It is unknown whether these events were stored. Send the call again: with the Idempotency-Key that it had, nothing is counted twice',
    { cause: failure },
  )
}

export const events: readonly Route[] = [
  ingestion,
  ...eventStatistics,
  ...eventImport,
  ...eventStatus,
  ...eventParts,
  route<{ events: Listed<EventData> }>({
    method: 'get',
    path: '/v1/events',
    summary: 'List events that a query selects',
    parameters: [QUERY, SORT, ...PAGE.parameters],
    strictQuery: true,
    operation: `query Events(${LIST_VARIABLES}, $sort: SortInput) {
      events(${LIST_ARGUMENTS}, sort: $sort) { nodes { ${EVENT} } ${PAGE.info} } }`,
    variables: (request) => ({ ...listVariables(request), ...sortOf(request) }),
    respond: ({ events }, request) => listAnswer(events, request, eventBody),
    errors: ['OPERATION_LIMIT_EXCEEDED'],
    answers: { 200: listPage('Events') },
  }),
  route<{ rawEvents: Listed<RawEventData> }>({
    method: 'get',
    path: '/v1/events/raw',
    summary: 'List occurrences that a query selects',
    parameters: [QUERY, ...PAGE.parameters],
    strictQuery: true,
    operation: `query RawEvents(${LIST_VARIABLES}) {
      rawEvents(${LIST_ARGUMENTS}) { nodes { ${RAW_EVENT} } ${PAGE.info} } }`,
    variables: listVariables,
    respond: ({ rawEvents }, request) => listAnswer(rawEvents, request, rawEventBody),
    errors: ['OPERATION_LIMIT_EXCEEDED'],
    answers: { 200: listPage('RawEvents') },
  }),
  route<{ event: EventData | null }>({
    method: 'get',
    path: '/v1/events/:id',
    summary: 'Read an event',
    parameters: [inPath('id', 'Id of the event', EXAMPLE_ID)],
    operation: `query Event($id: ID!) { event(id: $id) { ${EVENT} } }`,
    variables: ({ params }) => ({ id: params.id }),
    respond: ({ event }, { params }) => ok(eventBody(found(event, 'event', params.id))),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The event', schema: ref('Event') } },
  }),
  route<{ event: { occurrences: Listed<RawEventData> } | null }>({
    method: 'get',
    path: '/v1/events/:id/raw',
    summary: 'List occurrences of one event',
    parameters: [inPath('id', 'Id of the event', EXAMPLE_ID), QUERY, ...PAGE.parameters],
    strictQuery: true,
    operation: `query Occurrences($id: ID!, ${LIST_VARIABLES}) {
      event(id: $id) { occurrences(${LIST_ARGUMENTS}) { nodes { ${RAW_EVENT} } ${PAGE.info} } } }`,
    variables: (request) => ({ ...listVariables(request), id: request.params.id }),
    respond({ event }, request) {
      const { occurrences } = found(event, 'event', request.params.id)
      return listAnswer(occurrences, request, rawEventBody)
    },
    errors: ['OPERATION_LIMIT_EXCEEDED', 'NOT_FOUND'],
    answers: { 200: listPage('RawEvents') },
  }),
]

/** Clients decode strictly: the body has the keys of the contract and no other; an empty list is left out. */
function ingestionAnswer({
  sent,
  success,
  accepted,
  errors,
  replayed,
}: IngestionData['ingestEvents']): RestResponse {
  return {
    status: sent > 0 ? 202 : statusOf('BAD_USER_INPUT'),
    body: {
      result: {
        sent,
        success: SUCCESS[success],
        ...(accepted.length > 0 ? { accepted } : {}),
        ...(errors.length > 0 ? { errors } : {}),
      },
    },
    headers: replayed ? { 'Idempotent-Replayed': 'true' } : {},
  }
}
