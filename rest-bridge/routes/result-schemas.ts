import type { GraphQLSchema } from 'graphql'
import { outputSchema } from '../documents/graph-schemas.ts'
import { type JsonSchema, listOf, ref } from '../documents/json-schema.ts'
import { ATTACHMENT } from './attachments.ts'
import { LOG_LINE, NEIGHBOUR_IDS, NEIGHBOURS, RESULT_CONTEXT, STARTED_BY } from './result-parts.ts'
import { DETAILED_RESULT, SIMPLE_RESULT } from './result-shape.ts'
import { COMPARISON, FLAKY, STATISTICS } from './result-statistics.ts'
import { EARLIER_TRY, STEP } from './result-steps.ts'

/** Members of a suite are simple results, in a detailed result as well. */
const MEMBERS = { testCaseResults: listOf(ref('ExecutionResult')) }

/** Empty as long as there is none. */
const TEXTS = { report: { type: 'string' }, log: { type: 'string' } }

export const resultSchemas = (graph: GraphQLSchema): Record<string, JsonSchema> => ({
  ExecutionResult: outputSchema(graph, 'ExecutionResult', SIMPLE_RESULT, MEMBERS),
  DetailedExecutionResult: outputSchema(graph, 'ExecutionResult', `${DETAILED_RESULT} report`, {
    ...MEMBERS,
    ...TEXTS,
  }),
  Statistics: outputSchema(graph, 'ExecutionStatistics', STATISTICS),
  Comparison: outputSchema(graph, 'ExecutionComparison', COMPARISON),
  Flaky: outputSchema(graph, 'FlakyContext', FLAKY),
  ResultContext: outputSchema(graph, 'ExecutionResult', `${RESULT_CONTEXT} ${NEIGHBOURS}`, {
    startedBy: STARTED_BY,
    ...{ suiteResult: null, againOf: null, again: null, ...NEIGHBOUR_IDS },
  }),
  LogLine: outputSchema(graph, 'ExecutionLogLine', LOG_LINE),
  Step: outputSchema(graph, 'StepResult', STEP),
  EarlierTry: outputSchema(graph, 'EarlierTry', EARLIER_TRY),
  Attachment: outputSchema(graph, 'Attachment', ATTACHMENT),
})
