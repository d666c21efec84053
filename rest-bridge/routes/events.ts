import { notFound } from '../../schema/errors.ts'
import { type RestResponse, type Route, route } from '../route.ts'
import { EVENT, type EventData, eventBody } from './event-shape.ts'

interface IngestionData {
  ingestEvents: {
    sent: number
    success: 'ALL' | 'PARTIAL' | 'NONE'
    accepted: { index: number; id: string }[]
    errors: { index: number; message: string }[]
    replayed: boolean
  }
}

/** Bytes, inflated. */
const BODY_LIMIT = 32 * 1024 * 1024

const SUCCESS = { ALL: 'true', PARTIAL: 'partial', NONE: 'false' } as const

export const events: readonly Route[] = [
  route<IngestionData>({
    method: 'post',
    path: '/v1/events',
    summary: 'Send one event or many',
    bodyLimit: BODY_LIMIT,
    operation: `mutation Ingest($input: IngestEventsInput!) {
      ingestEvents(input: $input) { sent success accepted { index id } errors { index message } replayed } }`,
    variables: ({ body, headers }) => ({
      input: {
        events: Array.isArray(body) ? body : [body],
        idempotencyKey: headers['idempotency-key'],
      },
    }),
    respond: ({ ingestEvents }) => ingestionAnswer(ingestEvents),
    errors: [
      'BAD_USER_INPUT',
      'PAYLOAD_TOO_LARGE',
      'UNSUPPORTED_MEDIA_TYPE',
      'IDEMPOTENCY_MISMATCH',
      'OVERLOADED',
    ],
    failure: (message) => ({
      result: { sent: 0, success: 'false', errors: [{ index: 0, message }] },
    }),
  }),
  route<{ event: EventData | null }>({
    method: 'get',
    path: '/v1/events/:id',
    summary: 'Read an event',
    operation: `query Event($id: ID!) { event(id: $id) { ${EVENT} } }`,
    variables: ({ params }) => ({ id: params.id }),
    respond({ event }, { params: { id = '' } }) {
      if (!event) throw notFound('event', id)
      return { status: 200, body: eventBody(event) }
    },
    errors: ['NOT_FOUND', 'OVERLOADED'],
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
    status: sent > 0 ? 202 : 400,
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
