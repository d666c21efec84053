import { VALIDATION_FAILURE_KEYS } from '../../formats/simple-result.ts'
import { found, ok, withTimestamps } from '../answers.ts'
import { RESULT_ID } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { type Route, routesOf } from '../route.ts'
import { ATTACHMENT } from './attachments.ts'

const route = routesOf('Results')

/** GraphQL fields of a step, with what explains how it ended. */
export const STEP = `id: stepId path kind name datasetRow state started ended durationMs message isOptional attempts captures attachments { ${ATTACHMENT} }
  exchange { durationMs request { method url headers body bodyLength } response { status headers body bodyLength } }
  call { component function args result }`

/** GraphQL fields of a try before the last one, of a scenario with retries. */
export const EARLIER_TRY = `state errorCode message started ended
  validationFailures { ${VALIDATION_FAILURE_KEYS.join(' ')} } steps { ${STEP} }`

const withTimes = withTimestamps('started', 'ended')

export const resultSteps: readonly Route[] = [
  route<{ executionResult: { steps: object[] } | null }>({
    method: 'get',
    path: '/result/:resultId/steps',
    summary: 'Steps of an execution, with their last request and response, or their call',
    parameters: [RESULT_ID],
    operation: `query Steps($id: ID!) { executionResult(id: $id) { steps { ${STEP} } } }`,
    variables: ({ params }) => ({ id: params.resultId }),
    respond({ executionResult }, { params }) {
      const { steps } = found(executionResult, 'execution result', params.resultId)
      return ok(steps.map(withTimes))
    },
    errors: ['NOT_FOUND', 'OPERATION_LIMIT_EXCEEDED'],
    answers: { 200: { description: 'The steps', schema: listOf(ref('Step')) } },
  }),
  route<{ executionResult: { tries: { steps: object[] }[] } | null }>({
    method: 'get',
    path: '/result/:resultId/tries',
    summary: 'Tries of a scenario with retries before the last one, with their steps',
    parameters: [RESULT_ID],
    operation: `query Tries($id: ID!) { executionResult(id: $id) { tries { ${EARLIER_TRY} } } }`,
    variables: ({ params }) => ({ id: params.resultId }),
    respond({ executionResult }, { params }) {
      const { tries } = found(executionResult, 'execution result', params.resultId)
      return ok(tries.map((tried) => ({ ...withTimes(tried), steps: tried.steps.map(withTimes) })))
    },
    errors: ['NOT_FOUND', 'OPERATION_LIMIT_EXCEEDED'],
    answers: { 200: { description: 'The tries, in order', schema: listOf(ref('EarlierTry')) } },
  }),
]
