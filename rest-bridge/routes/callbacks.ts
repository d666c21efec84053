import type { GraphQLSchema } from 'graphql'
import { timestamp } from '../../schema/timestamp.ts'
import {
  arrayAnswer,
  arrayPage,
  CURSOR_PAGE,
  type Listed,
  PAGE_ARGUMENTS,
  PAGE_INFO,
  PAGE_VARIABLES,
  parseCursorPage,
} from '../cursor-pages.ts'
import { generatedId, inQuery } from '../documents/description.ts'
import { outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, listOf, ref } from '../documents/json-schema.ts'
import { parseWord } from '../parameters.ts'
import { type Route, route } from '../route.ts'

/** GraphQL fields of a delivery. */
export const DELIVERY = `id url state created nextAttemptAt execution { id }
  attempts { started status error durationMs }`

export interface DeliveryData extends Record<string, unknown> {
  created: string
  nextAttemptAt: string | null
  execution: { id: string }
  attempts: { started: string }[]
}

export const deliveryBody = ({ execution, ...delivery }: DeliveryData) => ({
  ...delivery,
  resultId: execution.id,
  created: timestamp(delivery.created),
  nextAttemptAt: delivery.nextAttemptAt && timestamp(delivery.nextAttemptAt),
  attempts: delivery.attempts.map((each) => ({ ...each, started: timestamp(each.started) })),
})

export const callbackSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  CallbackDelivery: outputSchema(graph, 'CallbackDelivery', DELIVERY, {
    execution: null,
    resultId: { type: 'string', description: 'The execution whose end it reports.' },
  }),
})

const STATES = ['all', 'pending', 'delivered', 'given_up', 'dead'] as const

/** What became of callbacks. */
export const callbacks: readonly Route[] = [
  route<{ callbackDeliveries: Listed<DeliveryData> }>({
    method: 'get',
    path: '/callback',
    summary: 'List deliveries of callbacks with every attempt, the newest first',
    area: 'Callbacks',
    parameters: [
      inQuery('state', 'Only deliveries in this state, in any case.', {
        type: 'string',
        enum: STATES,
        default: STATES[0],
      }),
      ...CURSOR_PAGE,
    ],
    strictQuery: true,
    operation: `query CallbackDeliveries($filter: CallbackDeliveryFilter, ${PAGE_VARIABLES}) {
      callbackDeliveries(filter: $filter, ${PAGE_ARGUMENTS}) { nodes { ${DELIVERY} } ${PAGE_INFO} } }`,
    variables(request) {
      const state = parseWord('state', request.query.state, STATES)
      const filter = state === 'all' ? null : { state: state.toUpperCase() }
      return { filter, ...parseCursorPage(request) }
    },
    respond: ({ callbackDeliveries }, request) =>
      arrayAnswer(callbackDeliveries, request, deliveryBody),
    errors: ['BAD_USER_INPUT', 'OVERLOADED'],
    answers: { 200: arrayPage(listOf(ref('CallbackDelivery'))) },
  }),
  route<{ redeliverCallback: DeliveryData }>({
    method: 'post',
    path: '/callback/:deliveryId/redeliver',
    summary: 'Deliver a callback again, with the same `webhook-id`',
    area: 'Callbacks',
    parameters: [generatedId('deliveryId', 'Id of the delivery')],
    operation: `mutation RedeliverCallback($input: RedeliverCallbackInput!) {
      redeliverCallback(input: $input) { ${DELIVERY} } }`,
    variables: ({ params }) => ({ input: { id: params.deliveryId } }),
    respond: ({ redeliverCallback }) => ({ status: 200, body: deliveryBody(redeliverCallback) }),
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'OVERLOADED'],
    answers: { 200: { description: 'The delivery, PENDING', schema: ref('CallbackDelivery') } },
  }),
]
