import { notFound } from '../../schema/errors.ts'
import { simpleResult } from '../../schema/simple-result.ts'
import { type Route, route } from '../route.ts'
import { DETAILED_RESULT, detailedResult, type ResultData, SIMPLE_RESULT } from './result-shape.ts'

type Shape = (data: ResultData) => Record<string, unknown>

const read = (
  path: Route['path'],
  summary: string,
  fields: string,
  shape: Shape,
  type: string | null,
): Route =>
  route<{ executionResult: ResultData | null }>({
    method: 'get',
    path,
    summary,
    operation: `query Result($id: ID!) { executionResult(id: $id) { ${fields} } }`,
    variables: ({ params }) => ({ id: params.resultId }),
    respond: ({ executionResult: result }, { params }) => {
      const { id, resultId = '' } = params
      const belongs = result && (type === null || (result.type === type && result.contextId === id))
      if (!belongs) throw notFound('execution result', resultId)
      return { status: 200, body: shape(result) }
    },
    errors: ['NOT_FOUND', 'OVERLOADED'],
  })

export const results: readonly Route[] = [
  read(
    '/testcase/:id/result/:resultId',
    'Result of a scenario',
    SIMPLE_RESULT,
    simpleResult,
    'TEST',
  ),
  read('/result/:resultId', 'Result of an execution', SIMPLE_RESULT, simpleResult, null),
  read(
    '/testcase/:id/result/:resultId/details',
    'Details of a scenario',
    DETAILED_RESULT,
    detailedResult,
    'TEST',
  ),
  read(
    '/result/:resultId/details',
    'Details of an execution',
    DETAILED_RESULT,
    detailedResult,
    null,
  ),
]
