import { mapFetches } from '../../planning/map-fetches.ts'
import type { ApolloFix } from '../fix.ts'
import { entityFetches } from './entity-fetch.ts'
import { withRequiredFields } from './required-fields.ts'

/**
 * Defect: the planner gathers a required field at its name, whatever its arguments, so one field that is required with
 * different arguments has one value for all of them.
 *
 *     a: type Query { ps: [P] } type P @key(fields: "id") { id: ID! x(v: Int): String }
 *     b: type P @key(fields: "id") { id: ID! x(v: Int): String @external
 *          b1: String @requires(fields: "x(v: 1)") b2: String @requires(fields: "x(v: 2)") }
 *     { ps { b1 b2 } } → both get x(v: 2)
 *
 * Here each of them is a field of its own while the planner runs, and has its real name again in the plan. A
 * representation holds a field once, so a fetch of both becomes two; see entity-fetch.ts.
 * Text to file: "@requires with different arguments of one field". Can go when the planner gives them aliases.
 */
export const requiredArguments: ApolloFix = {
  correct(given) {
    const required = withRequiredFields(given)
    return {
      supergraph: required.supergraph,
      corrected: (plan, { graphOf }) =>
        mapFetches(plan, (fetch) => {
          const nodes = entityFetches(fetch, required, graphOf(fetch.serviceName) ?? '')
          return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'Parallel', nodes }
        }),
    }
  },
}
