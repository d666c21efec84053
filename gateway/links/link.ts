import type { ExecutionResult } from 'graphql'
import type { Context } from '../../subgraphs/shared/caller.ts'
import type { SubgraphRequest } from '../../subgraphs/shared/executable.ts'

/** One operation for one subgraph, as the plan made it. */
export interface PlannedRequest extends SubgraphRequest {
  kind: 'query' | 'mutation' | 'subscription'
}

/**
 * How the gateway reaches one subgraph. In one process or in several: they differ here and nowhere else.
 * Errors of the subgraph stand in the results; one that cannot be reached throws AppError OVERLOADED.
 */
export interface SubgraphLink {
  name: string
  execute(request: PlannedRequest, context: Context): Promise<ExecutionResult>
  /** A subscription that is refused yields its errors as the only result. */
  subscribe(
    request: PlannedRequest,
    context: Context,
  ): Promise<AsyncIterableIterator<ExecutionResult>>
  stop(): Promise<void>
}
