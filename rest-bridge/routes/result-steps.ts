import { notFound } from '../../schema/errors.ts'
import { VALIDATION_FAILURE_KEYS } from '../../schema/simple-result.ts'
import { timestamp } from '../../schema/timestamp.ts'
import { RESULT_ID } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { type Route, route } from '../route.ts'
import { ATTACHMENT } from './attachments.ts'

/** GraphQL fields of a step, with what explains how it ended. */
export const STEP = `id path kind name datasetRow state started ended durationMs message attempts captures attachments { ${ATTACHMENT} }
  exchange { durationMs request { method url headers body bodyLength } response { status headers body bodyLength } }`

/** GraphQL fields of a try before the last one, of a scenario with retries. */
export const EARLIER_TRY = `state errorCode message started ended
  validationFailures { ${VALIDATION_FAILURE_KEYS.join(' ')} } steps { ${STEP} }`

interface StepData {
  started: string
  ended: string | null
}

interface TryData extends StepData {
  steps: StepData[]
}

const withTimes = <T extends StepData>(data: T): T => ({
  ...data,
  started: timestamp(data.started),
  ended: data.ended && timestamp(data.ended),
})

export const resultSteps: readonly Route[] = [
  route<{ executionResult: { steps: StepData[] } | null }>({
    method: 'get',
    path: '/result/:resultId/steps',
    summary: 'Steps of an execution; of failed ones the last request and its response',
    area: 'Results',
    parameters: [RESULT_ID],
    operation: `query Steps($id: ID!) { executionResult(id: $id) { steps { ${STEP} } } }`,
    variables: ({ params }) => ({ id: params.resultId }),
    respond({ executionResult }, { params: { resultId = '' } }) {
      if (!executionResult) throw notFound('execution result', resultId)
      return { status: 200, body: executionResult.steps.map(withTimes) }
    },
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OPERATION_LIMIT_EXCEEDED', 'OVERLOADED'],
    answers: { 200: { description: 'The steps', schema: listOf(ref('Step')) } },
  }),
  route<{ executionResult: { tries: TryData[] } | null }>({
    method: 'get',
    path: '/result/:resultId/tries',
    summary: 'Tries of a scenario with retries before the last one, with their steps',
    area: 'Results',
    parameters: [RESULT_ID],
    operation: `query Tries($id: ID!) { executionResult(id: $id) { tries { ${EARLIER_TRY} } } }`,
    variables: ({ params }) => ({ id: params.resultId }),
    respond({ executionResult }, { params: { resultId = '' } }) {
      if (!executionResult) throw notFound('execution result', resultId)
      const body = executionResult.tries.map((tried) => ({
        ...withTimes(tried),
        steps: tried.steps.map(withTimes),
      }))
      return { status: 200, body }
    },
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OPERATION_LIMIT_EXCEEDED', 'OVERLOADED'],
    answers: { 200: { description: 'The tries, in order', schema: listOf(ref('EarlierTry')) } },
  }),
]
