import { notFound } from '../../schema/errors.ts'
import {
  CURSOR_PAGE,
  type Listed,
  listAnswer,
  listPage,
  PAGE_ARGUMENTS,
  PAGE_INFO,
  PAGE_VARIABLES,
  parseCursorPage,
} from '../cursor-pages.ts'
import { inPath } from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { BODY_ERRORS, type Route, route } from '../route.ts'
import {
  EVENT,
  type EventData,
  EXAMPLE_ID,
  eventBody,
  STATUS_CHANGE,
  type StatusChangeData,
  statusChangeBody,
} from './event-shape.ts'

/** Many ids and a comment. */
const BODY_LIMIT = 256 * 1024

const ID = inPath('id', 'Id of the event', EXAMPLE_ID)

/** Acknowledging, closing and reopening events, and how their status changed. */
export const eventStatus: readonly Route[] = [
  route<{ setEventStatuses: { id: string; outcome: string }[] }>({
    method: 'post',
    path: '/v1/events/status',
    summary: 'Acknowledge, close or reopen several events in one transaction',
    area: 'Events',
    parameters: [],
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('NewStatuses'),
      example: { ids: [EXAMPLE_ID], status: 'CLOSED', comment: 'The disk was replaced' },
    },
    operation: `mutation SetEventStatuses($input: SetEventStatusesInput!) {
      setEventStatuses(input: $input) { id outcome } }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: ({ setEventStatuses: items }) => ({ status: 200, body: { items } }),
    errors: [...BODY_ERRORS, 'OVERLOADED'],
    answers: { 200: { description: 'A result for each id', schema: ref('StatusResults') } },
  }),
  route<{ setEventStatus: EventData }>({
    method: 'post',
    path: '/v1/events/:id/status',
    summary: 'Acknowledge, close or reopen an event',
    area: 'Events',
    parameters: [ID],
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('NewStatus'),
      example: { status: 'ACKNOWLEDGED', comment: 'A new disk is on its way' },
    },
    operation: `mutation SetEventStatus($input: SetEventStatusInput!) {
      setEventStatus(input: $input) { ${EVENT} } }`,
    variables: ({ body, params }) => ({ input: { ...objectOf(body), id: params.id } }),
    respond: ({ setEventStatus }) => ({ status: 200, body: eventBody(setEventStatus) }),
    errors: [...BODY_ERRORS, 'NOT_FOUND', 'OVERLOADED'],
    answers: { 200: { description: 'The event as it is now', schema: ref('Event') } },
  }),
  route<{ event: { statusHistory: Listed<StatusChangeData> } | null }>({
    method: 'get',
    path: '/v1/events/:id/history',
    summary: 'List how the status of an event changed, the latest change first',
    area: 'Events',
    parameters: [ID, ...CURSOR_PAGE],
    operation: `query StatusHistory($id: ID!, ${PAGE_VARIABLES}) {
      event(id: $id) { statusHistory(${PAGE_ARGUMENTS}) { nodes { ${STATUS_CHANGE} } ${PAGE_INFO} } } }`,
    variables: (request) => ({ ...parseCursorPage(request), id: request.params.id }),
    respond({ event }, request) {
      if (!event) throw notFound('event', request.params.id ?? '')
      return listAnswer(event.statusHistory, request, statusChangeBody)
    },
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OVERLOADED'],
    answers: { 200: listPage('StatusChanges') },
  }),
]
