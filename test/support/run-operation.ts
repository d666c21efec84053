import { type ExecutionResult, type GraphQLSchema, getOperationAST, parse, validate } from 'graphql'
import { compileOperation } from '../../platform/subgraph/compiled/operation.ts'

/** Runs an operation of a subgraph as it is served, but with its errors as they are. */
export async function runOperation(
  schema: GraphQLSchema,
  source: string,
  variables: Record<string, unknown>,
  context: object,
): Promise<ExecutionResult> {
  const document = parse(source)
  const errors = validate(schema, document)
  const operation = getOperationAST(document)
  if (errors.length > 0 || !operation) return { errors }
  return compileOperation(schema, document, operation).run(variables, context)
}
