import { notFound } from '../../schema/errors.ts'
import { timestamp } from '../../schema/timestamp.ts'
import { RESULT_ID } from '../documents/description.ts'
import { listOf, ref } from '../documents/json-schema.ts'
import { type Route, route } from '../route.ts'
import { ATTACHMENT } from './attachments.ts'

/** GraphQL fields of a step, with what explains how it ended. */
export const STEP = `id path kind name datasetRow state started ended durationMs message attempts captures attachments { ${ATTACHMENT} }
  exchange { durationMs request { method url headers body bodyLength } response { status headers body bodyLength } }`

interface StepData {
  started: string
  ended: string | null
}

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
      const body = executionResult.steps.map((step) => ({
        ...step,
        started: timestamp(step.started),
        ended: step.ended && timestamp(step.ended),
      }))
      return { status: 200, body }
    },
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OPERATION_LIMIT_EXCEEDED', 'OVERLOADED'],
    answers: { 200: { description: 'The steps', schema: listOf(ref('Step')) } },
  }),
]
