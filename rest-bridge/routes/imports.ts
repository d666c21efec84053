import type { GraphQLSchema } from 'graphql'
import { inputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, ref } from '../documents/json-schema.ts'
import { objectOf, parseLabels } from '../parameters.ts'
import { type Route, routesOf } from '../route.ts'
import { OPTIONS } from './execution-start.ts'
import { type ResultData, resultAnswer, SIMPLE_RESULT } from './result-shape.ts'

const route = routesOf('Execution')

/** What a start takes and an import does, too. */
const TAKEN = new Set(['label', 'Idempotency-Key'])

export const imports: readonly Route[] = [
  route<{ importExecution: ResultData }>({
    method: 'post',
    path: '/executions/import',
    summary: 'Store results of scenarios that ran elsewhere as an execution',
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
    respond: ({ importExecution }) => resultAnswer(importExecution),
    errors: ['IDEMPOTENCY_MISMATCH'],
    answers: { 200: { description: 'The execution', schema: ref('ExecutionResult') } },
  }),
]

export const importSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  ImportedExecution: inputSchema(graph, 'ImportExecutionInput', {
    labels: null,
    idempotencyKey: null,
  }),
})
