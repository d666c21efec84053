import type { GraphQLSchema } from 'graphql'
import { simpleResult } from '../../schema/simple-result.ts'
import { inputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'
import { objectOf, parseLabels } from '../parameters.ts'
import { BODY_ERRORS, type Route, route } from '../route.ts'
import { OPTIONS } from './execution-start.ts'
import { type ResultData, SIMPLE_RESULT } from './result-shape.ts'

/** What a start takes and an import does, too. */
const TAKEN = new Set(['label', 'Idempotency-Key'])

export const imports: readonly Route[] = [
  route<{ importExecution: ResultData }>({
    method: 'post',
    path: '/executions/import',
    summary: 'Store results of scenarios that ran elsewhere as an execution',
    area: 'Execution',
    parameters: OPTIONS.filter(({ name }) => TAKEN.has(name)),
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
        idempotencyKey: request.headers['idempotency-key'] ?? null,
      },
    }),
    respond: (data) => ({ status: 200, body: simpleResult(data.importExecution) }),
    errors: [...BODY_ERRORS, 'IDEMPOTENCY_MISMATCH', 'OVERLOADED'],
    answers: { 200: { description: 'The execution', schema: ref('ExecutionResult') } },
  }),
]

export const importSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  ImportedExecution: inputSchema(graph, 'ImportExecutionInput', {
    labels: null,
    idempotencyKey: null,
  }),
})
