import { found, ok } from '../answers.ts'
import { inPath } from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { type Address, type Route, routesOf } from '../route.ts'
import { EXAMPLE_ID } from './event-shape.ts'
import { bucketBody, SPAN, SPAN_ARGUMENTS, SPAN_VARIABLES, spanOf } from './event-statistics.ts'

const route = routesOf('Events')

/** GraphQL fields of how a fingerprint is formed, and of the execution that caused an event last. */
export const EXPLANATION = 'used { name value } ignored'
export const ASSIGNMENT = 'assignee ticket'
export const EVENT_EXECUTION = 'id type contextId contextName state'
export const HOLDING_SILENCE = 'silenceId name reason until'

/** Follows from the fingerprint of the event of the example loan-schedule. */
const EXAMPLE_EXECUTION_EVENT = 'd528ad39-3caf-8785-ae25-73a8d8756a03'

const ID = inPath('id', 'Id of the event', EXAMPLE_ID)

/** @throws AppError NOT_FOUND */
const known = <Event extends object>(event: Event | null, { params }: Address): Event =>
  found(event, 'event', params.id)

/** Parts that a stored event leaves out, each at an address of its own: readers know the keys of an event. */
export const eventParts: readonly Route[] = [
  route<{ event: { fingerprintExplanation: object } | null }>({
    method: 'get',
    path: '/v1/events/:id/explanation',
    summary: 'Which fields form the fingerprint of an event, and which names have no effect',
    parameters: [ID],
    operation: `query Explanation($id: ID!) { event(id: $id) { fingerprintExplanation { ${EXPLANATION} } } }`,
    variables: ({ params }) => ({ id: params.id }),
    respond: ({ event }, request) => ok(known(event, request).fingerprintExplanation),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The explanation', schema: ref('FingerprintExplanation') } },
  }),
  route<{ event: object | null }>({
    method: 'get',
    path: '/v1/events/:id/assignment',
    summary: 'Who looks at an event, and the ticket about it',
    parameters: [ID],
    operation: `query EventAssignment($id: ID!) { event(id: $id) { ${ASSIGNMENT} } }`,
    variables: ({ params }) => ({ id: params.id }),
    respond: ({ event }, request) => ok(known(event, request)),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The assignment', schema: ref('EventAssignment') } },
  }),
  route<{ event: { histogram: object[] } | null }>({
    method: 'get',
    path: '/v1/events/:id/histogram',
    summary: 'Count the occurrences of one event by the time of their receipt',
    parameters: [ID, ...SPAN],
    strictQuery: true,
    operation: `query EventHistogram($id: ID!, ${SPAN_VARIABLES}) {
      event(id: $id) { histogram(${SPAN_ARGUMENTS}) { start occurrences } } }`,
    variables: (request) => ({ id: request.params.id, ...spanOf(request) }),
    respond: ({ event }, request) => ok({ items: known(event, request).histogram.map(bucketBody) }),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'A bucket for each interval', schema: ref('Histogram') } },
  }),
  route<{ event: { execution: object | null } | null }>({
    method: 'get',
    path: '/v1/events/:id/execution',
    summary: 'The latest execution that was counted into an event',
    parameters: [inPath('id', 'Id of the event of a scenario or suite', EXAMPLE_EXECUTION_EVENT)],
    operation: `query EventExecution($id: ID!) { event(id: $id) { execution { ${EVENT_EXECUTION} } } }`,
    variables: ({ params }) => ({ id: params.id }),
    respond({ event }, request) {
      const { execution } = known(event, request)
      return ok(found(execution, 'execution of event', request.params.id))
    },
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The execution', schema: ref('EventExecution') } },
  }),
  route<{ event: { silences: object[] } | null }>({
    method: 'get',
    path: '/v1/events/:id/silences',
    summary: 'Silences that keep notifications of an event back now',
    parameters: [ID],
    operation: `query EventSilences($id: ID!) { event(id: $id) { silences { ${HOLDING_SILENCE} } } }`,
    variables: ({ params }) => ({ id: params.id }),
    respond: ({ event }, request) => ok({ items: known(event, request).silences }),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'Those that hold', schema: ref('HoldingSilences') } },
  }),
]
