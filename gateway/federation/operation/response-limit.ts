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
 * subgraphs answered says of most that they have not; only of the others, all values are counted.
 */
export function responseLimit(
  maxResponse = MAX_RESPONSE,
): (run: PlanRun, data: unknown) => GraphQLError | undefined {
  return ({ characters }, data) =>
    characters > maxResponse && charactersIn(data, maxResponse) > maxResponse
      ? new FederationError(...responseTooLarge(maxResponse))
      : undefined
}
