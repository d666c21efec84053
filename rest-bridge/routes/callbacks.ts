import type { GraphQLSchema } from 'graphql'
import { ok, withTimestamps } from '../answers.ts'
import { arrayAnswer, arrayPage, type Listed, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { generatedId, inWords } from '../documents/description.ts'
import { outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'
import { parseWord } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'

const route = routesOf('Callbacks')

/** GraphQL fields of a delivery. */
export const DELIVERY = `id url state created nextAttemptAt execution { id }
  attempts { started status error durationMs }`

export interface DeliveryData {
  execution: { id: string }
  attempts: object[]
}

const withTimes = withTimestamps('created', 'nextAttemptAt')

export const deliveryBody = ({ execution, attempts, ...delivery }: DeliveryData) => ({
  ...withTimes(delivery),
  attempts: attempts.map(withTimestamps('started')),
  resultId: execution.id,
})

export const callbackSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  CallbackDelivery: outputSchema(graph, 'CallbackDelivery', DELIVERY, {
    execution: null,
    resultId: { type: 'string', description: 'The execution whose end it reports.' },
  }),
})

const STATES = ['all', 'pending', 'delivered', 'given_up', 'dead'] as const

/** Rows of callbacks and their attempts. */
export const callbacks: readonly Route[] = [
  route<{ callbackDeliveries: Listed<DeliveryData> }>({
    method: 'get',
    path: '/callback',
    summary: 'List deliveries of callbacks with every attempt, the newest first',
    parameters: [
      inWords('state', 'Only deliveries in this state, in any case.', STATES),
      ...PAGE.parameters,
    ],
    strictQuery: true,
    operation: `query CallbackDeliveries($filter: CallbackDeliveryFilter, ${PAGE.variables}) {
      callbackDeliveries(filter: $filter, ${PAGE.arguments}) { nodes { ${DELIVERY} } ${PAGE.info} } }`,
    variables(request) {
      const state = parseWord('state', request.query.state, STATES)
      const filter = state === 'all' ? null : { state: state.toUpperCase() }
      return { filter, ...parseCursorPage(request) }
    },
    respond: ({ callbackDeliveries }, request) =>
      arrayAnswer(callbackDeliveries, request, deliveryBody),
    answers: { 200: arrayPage('CallbackDelivery') },
  }),
  route<{ redeliverCallback: DeliveryData }>({
    method: 'post',
    path: '/callback/:deliveryId/redeliver',
    summary: 'Deliver a callback again, with the same `webhook-id`',
    parameters: [generatedId('deliveryId', 'Id of the delivery')],
    operation: `mutation RedeliverCallback($input: RedeliverCallbackInput!) {
      redeliverCallback(input: $input) { ${DELIVERY} } }`,
    variables: ({ params }) => ({ input: { id: params.deliveryId } }),
    respond: ({ redeliverCallback }) => ok(deliveryBody(redeliverCallback)),
    errors: ['NOT_FOUND', 'CONFLICT'],
    answers: { 200: { description: 'The delivery, PENDING', schema: ref('CallbackDelivery') } },
  }),
]
