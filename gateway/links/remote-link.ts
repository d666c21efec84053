import { setTimeout as delay } from 'node:timers/promises'
import { type ExecutionResult, GraphQLError } from 'graphql'
import { createClient } from 'graphql-ws'
import { Pool } from 'undici'
import WebSocket from 'ws'
import { AppError } from '../../schema/errors.ts'
import { CALLER_HEADER, type CallerSignature, type Context } from '../../subgraphs/shared/caller.ts'
import type { PlannedRequest, SubgraphLink } from './link.ts'

export interface RemoteLinkOptions {
  name: string
  /** Where the subgraph answers, such as http://127.0.0.1:4001/graphql. */
  url: string
  signature: CallerSignature
}

/** For queries, which answer soon: more at a time only queue in the subgraph instead of here. */
const QUERY_CONNECTIONS = 64
const CONNECT_TIMEOUT_MS = 2_000
const QUERY_TIMEOUT_MS = 30_000
const QUERY_ATTEMPTS = 3
const RETRY_DELAY_MS = 100

/**
 * Reaches a subgraph over HTTP and one WebSocket, with the caller's context signed. A mutation may wait for as long as an
 * execution takes, so mutations have connections of their own, as many as there are, and no query ever waits behind one.
 */
export function remoteLink({ name, url, signature }: RemoteLinkOptions): SubgraphLink {
  const { origin, pathname } = new URL(url)
  const poolOf = (connections: number | null) =>
    new Pool(origin, {
      connections,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  const queries = poolOf(QUERY_CONNECTIONS)
  const mutations = poolOf(null)
  const sockets = createClient({
    url: url.replace(/^http/, 'ws'),
    webSocketImpl: WebSocket,
    lazy: true,
    retryAttempts: 0,
  })

  async function post(
    { document, variables, kind }: PlannedRequest,
    { caller }: Context,
  ): Promise<ExecutionResult> {
    const response = await (kind === 'query' ? queries : mutations).request({
      method: 'POST',
      path: pathname,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        'x-request-id': caller.requestId,
        [CALLER_HEADER]: await signature.sign(caller),
      },
      body: JSON.stringify({ query: document, variables }),
      ...(kind === 'query' ? { signal: AbortSignal.timeout(QUERY_TIMEOUT_MS) } : {}),
    })
    const result = (await response.body.json()) as ExecutionResult
    if (typeof result !== 'object' || result === null)
      throw new Error('The answer is no GraphQL response')
    return result
  }

  return {
    name,
    async execute(request, context) {
      const attempts = request.kind === 'query' ? QUERY_ATTEMPTS : 1
      for (let attempt = 1; ; attempt++) {
        try {
          return await post(request, context)
        } catch (cause) {
          if (attempt >= attempts) throw unreachable(name, cause)
          await delay(RETRY_DELAY_MS * attempt)
        }
      }
    },
    async subscribe({ document, variables }, { caller }) {
      const extensions = { [CALLER_HEADER]: await signature.sign(caller) }
      return errorsAsResults(name, sockets.iterate({ query: document, variables, extensions }))
    },
    async stop() {
      await sockets.dispose()
      await Promise.all([queries.destroy(), mutations.destroy()])
    },
  }
}

const unreachable = (name: string, cause: unknown) =>
  new AppError('OVERLOADED', `The subgraph ${name} cannot be reached; try again`, { cause })

/** The client rejects with what the subgraph answered (errors) or with a close event; a link reports both alike. */
function errorsAsResults(
  name: string,
  stream: AsyncIterableIterator<unknown>,
): AsyncIterableIterator<ExecutionResult> {
  const leave = async () => {
    await stream.return?.()
    return { done: true as const, value: undefined }
  }
  return {
    async next() {
      try {
        return (await stream.next()) as IteratorResult<ExecutionResult>
      } catch (error) {
        if (Array.isArray(error))
          return { done: false, value: { errors: error.map(toGraphQLError) } }
        throw unreachable(name, error)
      }
    },
    return: leave,
    throw: leave,
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

const toGraphQLError = ({ message, path, extensions }: GraphQLError) =>
  new GraphQLError(message, { path, extensions })
