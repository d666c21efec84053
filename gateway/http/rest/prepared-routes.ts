import { type ExecutionResult, Kind, parse } from 'graphql'
import { FIELD_RULES, type Rule } from '../../../platform/access/rules.ts'
import type { Route } from '../../../rest-bridge/route.ts'
import type { PreparedOperation, Supergraph } from '../../federation/index.ts'

/** A route with its operation. */
export interface PreparedRoute {
  route: Route
  run(...args: Parameters<PreparedOperation['run']>): Promise<ExecutionResult>
  /** Rules for running the operation, whatever its variables. */
  rules: readonly Rule[]
}

/** The first request prepares the operation: to prepare all took a third of the processor time of a start. */
export interface RouteToPrepare extends PreparedRoute {
  /** @throws AggregateError where the operation does not fit the supergraph */
  prepare(): Promise<PreparedOperation>
}

type Preparing = Pick<Supergraph, 'prepare'>

export const prepareRoutes = (
  routes: readonly Route[],
  supergraph: Preparing,
): readonly RouteToPrepare[] => routes.map((route) => prepareRoute(route, supergraph))

function prepareRoute(route: Route, supergraph: Preparing): RouteToPrepare {
  const { operation } = route
  let prepared: PreparedOperation | undefined
  const prepare = async () => {
    const made = prepared ?? (await supergraph.prepare(operation))
    if (!('run' in made)) throw new AggregateError(made, `A REST route does not fit: ${operation}`)
    row.run = made.run.bind(made) // it runs at once from here on
    prepared = made
    return made
  }
  const row: RouteToPrepare = {
    route,
    rules: rulesOf(operation),
    prepare,
    run: async (...args) => (await prepare()).run(...args),
  }
  return row
}

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
