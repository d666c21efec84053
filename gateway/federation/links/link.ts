import type { ExecutionResult } from 'graphql'
import type { Context } from '../../../platform/access/caller.ts'
import type { Json } from '../executor/own.ts'

/** Options of the link to one subgraph, each with a default. */
export interface LinkOptions {
  /** Instead of the address in the supergraph. */
  url?: string
  /** Time limit of a query with its retries. */
  timeoutMs?: number
  /** Time for which the subgraph may stay silent on a request or its WebSocket. */
  silenceMs?: number
  retries?: number
  /** Connections for queries at a time. */
  connections?: number
  /** Requests in a row without an answer after which it is left alone until a probe is answered. */
  failuresInARow?: number
  /** Pause between a failed probe and the next, and time that a request waits for one. */
  probePauseMs?: number
  /** PEM texts. */
  tls?: { ca?: string; cert?: string; key?: string }
  subscriptions?: { protocol?: 'websocket' | 'sse'; path?: string }
}

/** A header of a subgraph, on its way to the client. */
export interface PickedHeader {
  /** In lower case. */
  name: string
  value: string
  /** Combination with a value that is there; a hint for caches is merged, and is no header itself. */
  combine: 'last' | 'first' | 'append' | 'hint'
}

/** Headers of a subgraph that clients get. */
export interface ResponseHeaders {
  /** @param name in lower case */
  isWanted(name: string): boolean
  pick(headers: readonly (readonly [name: string, value: string])[]): PickedHeader[]
}

/** An answer of a subgraph. */
export interface LinkResult extends ExecutionResult {
  headers?: readonly PickedHeader[]
}

/** One operation for one subgraph, as the plan made it. */
export interface PlannedRequest {
  document: string
  variables: Json
  kind: 'query' | 'mutation' | 'subscription'
  /** The same as it is posted, where it was made already. */
  body?: string
  /** Makes the body out of texts that are there. */
  write?(): string
}

/** A request as it is posted: equal for equal requests. */
export const bodyOf = ({ body, write, document, variables }: PlannedRequest): string =>
  body ?? write?.() ?? JSON.stringify({ query: document, variables })

/** A request for entities. @param textOf returns their representations as JSON, without its brackets */
export function entitiesRequest(
  { document, variables, kind }: PlannedRequest,
  representations: readonly object[],
  textOf: () => string,
): PlannedRequest {
  return {
    kind,
    document,
    variables: { ...variables, representations },
    write() {
      const others = JSON.stringify(variables).slice(1, -1)
      const members = `${others}${others && ','}"representations":[${textOf()}]`
      return `{"query":${JSON.stringify(document)},"variables":{${members}}}`
    },
  }
}

/**
 * Link of the gateway to one subgraph. In one process or in several: they differ here and nowhere else.
 * Errors of the subgraph stand in the results; one that cannot be reached throws FederationError
 * DOWNSTREAM_UNREACHABLE; DOWNSTREAM_TIMEOUT where it is silent; DOWNSTREAM_ANSWER_LOST for a mutation that it may have carried out.
 */
export interface SubgraphLink {
  name: string
  /** True if it is a subgraph of the product, whose messages are worded for clients. */
  isOwn?: boolean
  /** Resolves with true if its server answers; a refused sign-in counts. Absent where there is no server. */
  isUp?(context: Context): Promise<boolean>
  execute(request: PlannedRequest, context: Context): Promise<LinkResult>
  /** A subscription that is refused yields its errors as the only result. */
  subscribe(
    request: PlannedRequest,
    context: Context,
  ): Promise<AsyncIterableIterator<ExecutionResult>>
  stop(): Promise<void>
}
