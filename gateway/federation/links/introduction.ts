import type { Context } from '../../../platform/access/caller.ts'

/** Introduction of the caller to a subgraph. */
export interface Introduction {
  /** Headers of a request, or what stands in the extensions of an operation over a WebSocket. */
  of(context: Context): Record<string, string> | Promise<Record<string, string>>
  /** True if each caller has a WebSocket of its own, introduced by the headers that open it. */
  socketPerCaller: boolean
}

/** Subgraphs of others get the headers of the client that the operator lets through. */
export const forwardedHeaders: Introduction = {
  of: ({ headers = {} }) => headers,
  socketPerCaller: true,
}
