import { type ExecutionResult, Kind, parse } from 'graphql'
import type { Route } from '../../../rest-bridge/route.ts'
import { FIELD_RULES, type Rule } from '../../../subgraphs/platform/access/rules.ts'
import type { PreparedOperation, Supergraph } from '../../federation/index.ts'

/** A route whose operation is ready to run. */
export interface PreparedRoute {
  route: Route
  run(...args: Parameters<PreparedOperation['run']>): Promise<ExecutionResult>
  /** What it takes to run the operation, whatever its variables. */
  rules: readonly Rule[]
}

/** @throws AggregateError where an operation does not fit the supergraph */
export const prepareRoutes = (
  routes: readonly Route[],
  supergraph: Supergraph,
): Promise<PreparedRoute[]> =>
  Promise.all(
    routes.map(async (route) => {
      const { operation } = route
      const made = await supergraph.prepare(operation)
      if (!('run' in made))
        throw new AggregateError(made, `A REST route does not fit: ${operation}`)
      return { route, run: made.run, rules: rulesOf(operation) }
    }),
  )

/** Permissions for the root fields of an operation; the subgraphs check the fields below them. */
function rulesOf(operation: string): Rule[] {
  return parse(operation).definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return []
    const type = definition.operation === 'mutation' ? 'Mutation' : 'Query'
    return definition.selectionSet.selections.map((field) => {
      const name = field.kind === Kind.FIELD ? `${type}.${field.name.value}` : ''
      const rule = FIELD_RULES[name]
      if (!rule) throw new Error(`There is no rule for ${name} of ${operation}`)
      return rule
    })
  })
}
