import type { GraphQLError } from 'graphql'
import {
  charactersIn,
  MAX_RESPONSE,
  responseTooLarge,
} from '../../../subgraphs/platform/subgraph/response-size.ts'
import { FederationError } from '../errors.ts'
import type { PlanRun } from '../executor/plan-run.ts'

/**
 * What a response is refused with that has more characters than it may have: it would be written in one piece. What the
 * subgraphs answered says of most that they have not; only of the others, all values are counted. Errors always are: one
 * in an entity stands in the response for each place of that.
 */
export function responseLimit(
  maxResponse = MAX_RESPONSE,
): (run: PlanRun, data: unknown, errors: readonly GraphQLError[]) => GraphQLError | undefined {
  return ({ characters }, data, errors) => {
    const most = maxResponse - charactersOf(errors)
    return characters > most && charactersIn(data, most) > most
      ? new FederationError(...responseTooLarge(maxResponse))
      : undefined
  }
}

const charactersOf = (errors: readonly GraphQLError[]): number =>
  errors.length === 0 ? 0 : charactersIn(errors.map((error) => error.toJSON()))
