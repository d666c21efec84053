import { found, ok, withTimestamps } from '../answers.ts'
import { arrayAnswer, arrayPage, type Listed, PAGE, parseCursorPage } from '../cursor-pages.ts'
import { inQuery, inWords, RESULT_ID, showing } from '../documents/description.ts'
import { type JsonSchema, listOf, ref } from '../documents/json-schema.ts'
import { parseWord } from '../parameters.ts'
import { ORIGINS } from '../result-filter.ts'
import { type Address, type Route, routesOf } from '../route.ts'
import { DELIVERY, type DeliveryData, deliveryBody } from './callbacks.ts'
import { EVENT, type EventData, eventBody } from './event-shape.ts'

const route = routesOf('Results')

/** GraphQL fields of what an execution belongs to, and of a line of its log. */
export const RESULT_CONTEXT = `contextName startedBy errorCode durationMs labels { name value } environmentId environment { id name }
  revisions { id: artifactId kind revision } progress { scenarios scenariosEnded queuePosition }
  isFlaky isQuarantined skippedScenarios { name reason }`
export const LOG_LINE = 'time level source message'

const LEVELS = ['all', 'debug', 'info', 'warn', 'error'] as const

export const NEIGHBOURS = 'suiteResult { id } againOf { id } again { id }'

interface Neighbours {
  startedBy: string
  suiteResult: { id: string } | null
  againOf: { id: string } | null
  again: { id: string } | null
}

/** Returns a field of the result. @throws AppError NOT_FOUND */
const partOf = <Result extends object>(result: Result | null, { params }: Address): Result =>
  found(result, 'execution result', params.resultId)

const idOf = ({ params }: Address) => ({ id: params.resultId })

/** Parts that the contract's result leaves out, each at an address of its own: clients know the keys of a result. */
export const resultParts: readonly Route[] = [
  route<{ executionResult: Neighbours | null }>({
    method: 'get',
    path: '/result/:resultId/context',
    summary:
      'Name, origin, labels, environment, revisions, progress, flakiness, quarantine, skipped scenarios, suite and repetition of an execution',
    parameters: [RESULT_ID],
    operation: `query ResultContext($id: ID!) {
      executionResult(id: $id) { ${RESULT_CONTEXT} ${NEIGHBOURS} } }`,
    variables: idOf,
    respond({ executionResult }, request) {
      const { startedBy, suiteResult, againOf, again, ...context } = partOf(
        executionResult,
        request,
      )
      return ok({
        ...context,
        startedBy: startedBy.toLowerCase(),
        suiteResultId: suiteResult?.id ?? null,
        againOfId: againOf?.id ?? null,
        againId: again?.id ?? null,
      })
    },
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'What it belongs to', schema: ref('ResultContext') } },
  }),
  route<{ executionResult: { logLines: Listed<object> } | null }>({
    method: 'get',
    path: '/result/:resultId/log',
    summary: 'List the lines of the log of an execution',
    parameters: [
      RESULT_ID,
      inWords('level', 'Only lines of this level, in any case.', LEVELS),
      showing(inQuery('source', 'Only lines of this source, such as the id of a step.'), 'pause'),
      showing(inQuery('text', 'Only lines with this text, in any case.'), 'started'),
      ...PAGE.parameters,
    ],
    strictQuery: true,
    operation: `query LogLines($id: ID!, $filter: ExecutionLogFilter, ${PAGE.variables}) {
      executionResult(id: $id) { logLines(filter: $filter, ${PAGE.arguments}) { nodes { ${LOG_LINE} } ${PAGE.info} } } }`,
    variables(request) {
      const { level, source, text } = request.query
      const word = parseWord('level', level, LEVELS)
      const filter = {
        levels: word === 'all' ? null : [word.toUpperCase()],
        sources: source === undefined ? null : [source],
        text: text ?? null,
      }
      return { ...idOf(request), filter, ...parseCursorPage(request) }
    },
    respond: ({ executionResult }, request) =>
      arrayAnswer(partOf(executionResult, request).logLines, request, withTimestamps('time')),
    errors: ['NOT_FOUND', 'GONE', 'OPERATION_LIMIT_EXCEEDED'],
    answers: { 200: arrayPage('LogLine') },
  }),
  route<{ executionResult: { callbackDeliveries: DeliveryData[] } | null }>({
    method: 'get',
    path: '/result/:resultId/callback',
    summary: 'Deliveries of the callback of an execution, with every attempt',
    area: 'Callbacks',
    parameters: [RESULT_ID],
    operation: `query ResultCallbacks($id: ID!) {
      executionResult(id: $id) { callbackDeliveries { ${DELIVERY} } } }`,
    variables: idOf,
    respond: ({ executionResult }, request) =>
      ok(partOf(executionResult, request).callbackDeliveries.map(deliveryBody)),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The deliveries', schema: listOf(ref('CallbackDelivery')) } },
  }),
  route<{ executionResult: { events: EventData[] | null } | null }>({
    method: 'get',
    path: '/result/:resultId/event',
    summary: 'Events that the end of an execution was counted into',
    parameters: [RESULT_ID],
    operation: `query ResultEvents($id: ID!) { executionResult(id: $id) { events { ${EVENT} } } }`,
    variables: idOf,
    respond: ({ executionResult }, request) =>
      ok((partOf(executionResult, request).events ?? []).map(eventBody)),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The events', schema: listOf(ref('Event')) } },
  }),
]

/** The origin of an execution; filters take it in any case. */
export const STARTED_BY: JsonSchema = {
  type: 'string',
  enum: ORIGINS.map((origin) => origin.toLowerCase()),
  description: 'The origin of the execution; that of the suite for a member.',
}

const idOfResult = (description: string): JsonSchema => ({
  type: ['string', 'null'],
  description: `${description}; null where there is none.`,
})

/** Ids of the executions that an execution names. */
export const NEIGHBOUR_IDS = {
  suiteResultId: idOfResult('The execution of the suite that it belongs to'),
  againOfId: idOfResult('The execution that it repeats'),
  againId: idOfResult('The execution that repeats it'),
}
