import { cobertura, lcov } from '../../formats/coverage/reports.ts'
import { AppError } from '../../formats/errors.ts'
import { found, ok } from '../answers.ts'
import { inWords, RESULT_ID } from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { parseWord } from '../parameters.ts'
import { type Address, type RestResponse, type Route, routesOf } from '../route.ts'
import { anyParent, NAMED_PARENTS, type ResultParent } from './result-parents.ts'
import {
  DETAILED_RESULT,
  detailedAnswer,
  type ResultData,
  resultAnswer,
  SIMPLE_RESULT,
} from './result-shape.ts'

const route = routesOf('Results')

const PARENTS = [...NAMED_PARENTS, anyParent('an execution')]

interface Data {
  executionResult: ResultData | null
}

/** The result, where it belongs to what the path says. @throws AppError NOT_FOUND */
function resultOf({ executionResult: result }: Data, { params }: Address, { type }: ResultParent) {
  const belongs = type === null || (result?.type === type && result.contextId === params.id)
  return found(belongs ? result : null, 'execution result', params.resultId)
}

const simple = (parent: ResultParent): Route =>
  route<Data>({
    method: 'get',
    path: `${parent.path}/result/:resultId`,
    summary: `Result of ${parent.of}`,
    parameters: [...parent.parameters, RESULT_ID],
    operation: `query Result($id: ID!) { executionResult(id: $id) { ${SIMPLE_RESULT} } }`,
    variables: ({ params }) => ({ id: params.resultId }),
    respond: (data, request) => resultAnswer(resultOf(data, request, parent)),
    errors: ['NOT_FOUND'],
    answers: { 200: { description: 'The simple result', schema: ref('ExecutionResult') } },
  })

const FORMATS = ['json', 'junit', 'lcov', 'cobertura'] as const
const XML = 'application/xml'

const formatOf = ({ query }: Address) => parseWord('format', query.format, FORMATS)

const details = (parent: ResultParent): Route =>
  route<Data>({
    method: 'get',
    path: `${parent.path}/result/:resultId/details`,
    summary: `Details of ${parent.of}`,
    parameters: [
      ...parent.parameters,
      RESULT_ID,
      inWords(
        'format',
        'Once the execution has ended: `junit` gives JUnit XML, `lcov` and `cobertura` give the coverage.',
        FORMATS,
      ),
    ],
    operation: `query Details($id: ID!, $report: ReportFormat!) {
      executionResult(id: $id) { ${DETAILED_RESULT} report(format: $report) } }`,
    variables: (request) => ({
      id: request.params.resultId,
      report: formatOf(request) === 'junit' ? 'JUNIT' : 'XA',
    }),
    // The rest of a result is there when its details are gone.
    failureOf(failure, request, data) {
      if (data?.executionResult) resultOf(data, request, parent)
      return failure
    },
    respond(data, request) {
      const result = resultOf(data, request, parent)
      const format = formatOf(request)
      if (format === 'json') return detailedAnswer(result)
      if (result.ended === null)
        throw new AppError('CONFLICT', 'The execution still runs; its reports follow its end')
      return reportOf(result, format)
    },
    errors: ['NOT_FOUND', 'CONFLICT', 'GONE'],
    answers: {
      200: {
        description: 'The simple result with the whole coverage, the report and the log',
        schema: ref('DetailedExecutionResult'),
        others: {
          [XML]: { type: 'string', description: 'JUnit XML, or coverage as Cobertura XML' },
          'text/plain': { type: 'string', description: 'Coverage as lcov' },
        },
      },
    },
  })

function reportOf(
  { codeCoverage, report }: ResultData,
  format: Exclude<(typeof FORMATS)[number], 'json'>,
): RestResponse {
  if (format === 'junit') return { ...ok(report ?? ''), mediaType: XML }
  return format === 'lcov'
    ? { ...ok(lcov(codeCoverage)), mediaType: 'text/plain' }
    : { ...ok(cobertura(codeCoverage)), mediaType: XML }
}

export const results: readonly Route[] = [...PARENTS.map(simple), ...PARENTS.map(details)]
