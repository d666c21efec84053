import { cobertura, lcov } from '../../schema/coverage-reports.ts'
import { AppError, notFound } from '../../schema/errors.ts'
import { simpleResultText } from '../../schema/simple-result.ts'
import { inPath, inQuery, type Parameter, RESULT_ID } from '../documents/description.ts'
import { ref } from '../documents/json-schema.ts'
import { parseWord } from '../parameters.ts'
import { type Address, type RestResponse, type Route, route } from '../route.ts'
import { DETAILED_RESULT, detailedResult, type ResultData, SIMPLE_RESULT } from './result-shape.ts'

/** What a result can be asked for below, and the type that it has there. */
interface Parent {
  path: '' | `/${string}`
  type: 'TEST' | 'SUITE' | null
  of: string
  parameters: readonly Parameter[]
}

const PARENTS: readonly Parent[] = [
  {
    path: '/testcase/:id',
    type: 'TEST',
    of: 'a scenario',
    parameters: [inPath('id', 'Id of the scenario', 'loan-schedule')],
  },
  {
    path: '/suite/:id',
    type: 'SUITE',
    of: 'a suite',
    parameters: [inPath('id', 'Id of the suite', 'finance')],
  },
  { path: '', type: null, of: 'an execution', parameters: [] },
]

interface Data {
  executionResult: ResultData | null
}

/** The result, where it belongs to what the path says. @throws AppError NOT_FOUND */
function resultOf({ executionResult: result }: Data, request: Address, parent: Parent) {
  if (result && belongs(result, request, parent)) return result
  throw notFound('execution result', request.params.resultId ?? '')
}

const belongs = (result: ResultData, { params: { id } }: Address, { type }: Parent): boolean =>
  type === null || (result.type === type && result.contextId === id)

const simple = (parent: Parent): Route =>
  route<Data>({
    method: 'get',
    path: `${parent.path}/result/:resultId`,
    summary: `Result of ${parent.of}`,
    area: 'Results',
    parameters: [...parent.parameters, RESULT_ID],
    operation: `query Result($id: ID!) { executionResult(id: $id) { ${SIMPLE_RESULT} } }`,
    variables: ({ params }) => ({ id: params.resultId }),
    respond: (data, request) => ({
      status: 200,
      body: undefined,
      pieces: simpleResultText(resultOf(data, request, parent)),
    }),
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'OVERLOADED'],
    answers: { 200: { description: 'The simple result', schema: ref('ExecutionResult') } },
  })

const FORMATS = ['json', 'junit', 'lcov', 'cobertura'] as const
const XML = 'application/xml'

const formatOf = ({ query }: Address) => parseWord('format', query.format, FORMATS)

const details = (parent: Parent): Route =>
  route<Data>({
    method: 'get',
    path: `${parent.path}/result/:resultId/details`,
    summary: `Details of ${parent.of}`,
    area: 'Results',
    parameters: [
      ...parent.parameters,
      RESULT_ID,
      inQuery(
        'format',
        'Once the execution has ended: `junit` gives JUnit XML, `lcov` and `cobertura` give the coverage.',
        { type: 'string', enum: FORMATS, default: 'json' },
      ),
    ],
    operation: `query Details($id: ID!, $report: ReportFormat!) {
      executionResult(id: $id) { ${DETAILED_RESULT} report(format: $report) } }`,
    variables: (request) => ({
      id: request.params.resultId,
      report: formatOf(request) === 'junit' ? 'JUNIT' : 'XA',
    }),
    // Where its details are gone, the rest of it is there.
    judge(data, request) {
      if (data?.executionResult) resultOf(data, request, parent)
    },
    respond(data, request) {
      const result = resultOf(data, request, parent)
      const format = formatOf(request)
      if (format === 'json') return { status: 200, body: detailedResult(result) }
      if (result.ended === null)
        throw new AppError('CONFLICT', 'The execution still runs; its reports follow its end')
      return reportOf(result, format)
    },
    errors: ['BAD_USER_INPUT', 'NOT_FOUND', 'CONFLICT', 'GONE', 'OVERLOADED'],
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
  if (format === 'junit') return { status: 200, mediaType: XML, body: report ?? '' }
  return format === 'lcov'
    ? { status: 200, mediaType: 'text/plain', body: lcov(codeCoverage) }
    : { status: 200, mediaType: XML, body: cobertura(codeCoverage) }
}

export const results: readonly Route[] = [...PARENTS.map(simple), ...PARENTS.map(details)]
