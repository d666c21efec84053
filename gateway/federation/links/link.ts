import type { ExecutionResult } from 'graphql'
import type { Context } from '../../../platform/access/caller.ts'
import type { Json } from '../executor/own.ts'

/** How one subgraph is reached. Without an option, the default holds. */
export interface LinkOptions {
  /** Instead of the address in the supergraph. */
  url?: string
  /** Of a query with its retries. */
  timeoutMs?: number
  /** How long the subgraph may say nothing to a request or on its WebSocket. */
  silenceMs?: number
  retries?: number
  /** Connections for queries at a time. */
  connections?: number
  /** Requests in a row without an answer after which it is left alone until a probe is answered. */
  failuresInARow?: number
  /** How long after a probe that failed the next one may follow, and how long a request waits for one. */
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
  /** What happens to a value that is there. */
  combine: 'last' | 'first' | 'append'
}

/** What clients get of the headers of a subgraph. */
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
 * How the gateway reaches one subgraph. In one process or in several: they differ here and nowhere else.
 * Errors of the subgraph stand in the results; one that cannot be reached throws FederationError
 * DOWNSTREAM_UNREACHABLE; DOWNSTREAM_TIMEOUT where it is silent; DOWNSTREAM_ANSWER_LOST for a mutation that it may have carried out.
 */
export interface SubgraphLink {
  name: string
  /** Whether it is a subgraph of the product, whose messages are worded for clients. */
  isOwn?: boolean
  /** Whether its server answers; a refused sign-in counts. Absent where there is no server. */
  isUp?(context: Context): Promise<boolean>
  execute(request: PlannedRequest, context: Context): Promise<LinkResult>
  /** A subscription that is refused yields its errors as the only result. */
  subscribe(
    request: PlannedRequest,
    context: Context,
  ): Promise<AsyncIterableIterator<ExecutionResult>>
  stop(): Promise<void>
}
