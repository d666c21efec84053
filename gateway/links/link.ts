import type { ExecutionResult } from 'graphql'
import type { Context } from '../../subgraphs/shared/caller.ts'

/** One operation for one subgraph, as the plan made it. */
export interface SubgraphRequest {
  document: string
  variables: Record<string, unknown>
  kind: 'query' | 'mutation' | 'subscription'
}

/** How the gateway reaches one subgraph. In one process or in several: they differ here and nowhere else. */
export interface SubgraphLink {
  name: string
  /** Errors of the subgraph stand in the result. @throws AppError OVERLOADED when it cannot be reached */
  execute(request: SubgraphRequest, context: Context): Promise<ExecutionResult>
  /** A subscription that is refused yields its errors as the only result. */
  subscribe(request: SubgraphRequest, context: Context): Promise<AsyncIterable<ExecutionResult>>
  stop(): Promise<void>
}
