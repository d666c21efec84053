import type { GraphQLSchema } from 'graphql'
import { badInput } from '../../formats/errors.ts'
import { inQuery } from '../documents/description.ts'
import { inputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'
import { objectOf, parseLabels } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'
import { OPTIONS } from './execution-start.ts'
import { type ResultData, resultAnswer, SIMPLE_RESULT } from './result-shape.ts'

const route = routesOf('Execution')

/** Parameters shared with `POST /execute`. */
const TAKEN = new Set(['label', 'Idempotency-Key'])

const EXIT_CODE = inQuery(
  'exitCode',
  'What the tool ended with: other than 0, the execution is an ERROR where no scenario is FAILED or ERROR.',
  { type: 'integer', examples: [1] },
)

/** @throws AppError BAD_USER_INPUT */
function parseExitCode(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^-?\d{1,9}$/.test(text)) throw badInput(`exitCode: expected a whole number, not ${text}`)
  return Number(text)
}

export const imports: readonly Route[] = [
  route<{ importExecution: ResultData }>({
    method: 'post',
    path: '/executions/import',
    summary: 'Store results of scenarios that ran elsewhere as an execution',
    parameters: [EXIT_CODE, ...OPTIONS.filter(({ name }) => TAKEN.has(name))],
    bodyLimit: 'IMPORT_BODY_BYTES',
    body: {
      schema: ref('ImportedExecution'),
      example: {
        name: 'Browser tests',
        scenarios: [
          { name: 'Sign in', state: 'COMPLETED', durationMs: 1200 },
          { name: 'Order', state: 'FAILED', message: 'The basket is empty', durationMs: 800 },
        ],
      },
    },
    operation: `mutation ImportExecution($input: ImportExecutionInput!) {
      importExecution(input: $input) { ${SIMPLE_RESULT} } }`,
    variables: (request) => ({
      input: {
        ...objectOf(request.body),
        labels: parseLabels(request),
        exitCode: parseExitCode(request.query.exitCode),
        idempotencyKey: request.headers['idempotency-key'] ?? null,
      },
    }),
    respond: ({ importExecution }) => resultAnswer(importExecution),
    errors: ['IDEMPOTENCY_MISMATCH'],
    answers: { 200: { description: 'The execution', schema: ref('ExecutionResult') } },
  }),
]

export const importSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  ImportedExecution: inputSchema(graph, 'ImportExecutionInput', {
    labels: null,
    exitCode: null,
    idempotencyKey: null,
  }),
})
