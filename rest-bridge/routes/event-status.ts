import { found, ok } from '../answers.ts'
import { type Listed, listAnswer, listPage, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { inPath } from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { objectOf } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'
import {
  EVENT,
  type EventData,
  EXAMPLE_ID,
  eventBody,
  STATUS_CHANGE,
  statusChangeBody,
} from './event-shape.ts'

const route = routesOf('Events')

/** Many ids and a comment. */
const BODY_LIMIT = 256 * 1024

const ID = inPath('id', 'Id of the event', EXAMPLE_ID)

/** Acknowledging, closing and reopening events, and how their status changed. */
export const eventStatus: readonly Route[] = [
  route<{ setEventStatuses: { id: string; outcome: string }[] }>({
    method: 'post',
    path: '/v1/events/status',
    summary: 'Acknowledge, close, reopen, assign or comment on several events in one transaction',
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('NewStatuses'),
      example: { ids: [EXAMPLE_ID], status: 'CLOSED', comment: 'The disk was replaced' },
    },
    operation: `mutation SetEventStatuses($input: SetEventStatusesInput!) {
      setEventStatuses(input: $input) { id: eventId outcome } }`,
    variables: ({ body }) => ({ input: objectOf(body) }),
    respond: ({ setEventStatuses: items }) => ok({ items }),
    answers: { 200: { description: 'A result for each id', schema: ref('StatusResults') } },
  }),
  route<{ setEventStatus: EventData }>({
    method: 'post',
    path: '/v1/events/:id/status',
    summary: 'Acknowledge, close, reopen, assign or comment on an event',
    parameters: [ID],
    bodyLimit: BODY_LIMIT,
    body: {
      schema: ref('NewStatus'),
      example: { status: 'ACKNOWLEDGED', comment: 'A new disk is on its way' },
    },
    operation: `mutation SetEventStatus($input: SetEventStatusInput!) {
      setEventStatus(input: $input) { ${EVENT} } }`,
    variables: ({ body, params }) => ({ input: { ...objectOf(body), id: params.id } }),
    respond: ({ setEventStatus }) => ok(eventBody(setEventStatus)),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The event as it is now', schema: ref('Event') } },
  }),
  route<{ event: { statusHistory: Listed<object> } | null }>({
    method: 'get',
    path: '/v1/events/:id/history',
    summary: 'List how the status of an event changed, the latest change first',
    parameters: [ID, ...PAGE.parameters],
    strictQuery: true,
    operation: `query StatusHistory($id: ID!, ${PAGE.variables}) {
      event(id: $id) { statusHistory(${PAGE.arguments}) { nodes { ${STATUS_CHANGE} } ${PAGE.info} } } }`,
    variables: (request) => ({ ...parseCursorPage(request), id: request.params.id }),
    respond({ event }, request) {
      const { statusHistory } = found(event, 'event', request.params.id)
      return listAnswer(statusHistory, request, statusChangeBody)
    },
    errors: ['NOT_FOUND'],
    answers: { 200: listPage('StatusChanges') },
  }),
]
