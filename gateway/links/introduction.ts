import { CALLER_HEADER, type CallerSignature, type Context } from '../../subgraphs/shared/caller.ts'

/** How a subgraph is told who asks. */
export interface Introduction {
  /** Headers of a request, or what stands in the extensions of an operation over a WebSocket. */
  of(context: Context): Promise<Record<string, string>>
  /** Whether a WebSocket belongs to one caller, who is told by the headers that open it. */
  socketPerCaller: boolean
}

/** Subgraphs of ours verify a token; one WebSocket carries all callers, each operation with its own token. */
export const signedCaller = (signature: CallerSignature): Introduction => ({
  of: async ({ caller }) => ({ [CALLER_HEADER]: await signature.sign(caller) }),
  socketPerCaller: false,
})

/** Subgraphs of others get the headers of the client that the operator lets through. */
export const forwardedHeaders: Introduction = {
  of: async ({ headers = {} }) => headers,
  socketPerCaller: true,
}
