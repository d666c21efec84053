import { type ExecutionResult, GraphQLError } from 'graphql'
import { AppError } from '../../../schema/errors.ts'
import type { Context } from '../../../subgraphs/shared/caller.ts'
import { BEAT_MS } from '../../../subgraphs/shared/heartbeat.ts'
import type { Introduction } from './introduction.ts'
import type { SubgraphLink } from './link.ts'
import { remoteHttp, Unanswered } from './remote-http.ts'
import { subgraphSockets } from './subgraph-sockets.ts'

export interface RemoteLinkOptions {
  name: string
  /** Where the subgraph answers, such as http://127.0.0.1:4001/graphql. */
  url: string
  introduction: Introduction
  /** How long a subgraph may say nothing to a request or on its WebSocket; 20 seconds by default. */
  silenceMs?: number
}

/** A subgraph that works says so every few seconds; one that says nothing for as long as this is lost. */
const SILENCE_MS = 4 * BEAT_MS

/** Reaches a subgraph over HTTP and WebSocket, and tells it who asks. */
export function remoteLink({
  name,
  url,
  introduction,
  silenceMs = SILENCE_MS,
}: RemoteLinkOptions): SubgraphLink {
  const http = remoteHttp(url, silenceMs)
  const sockets = subgraphSockets(url, introduction, silenceMs)

  const headersOf = async (context: Context) => ({
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json;q=0.9',
    'x-request-id': context.caller.requestId,
    ...(await introduction.of(context)),
  })

  return {
    name,
    async isUp(context) {
      return http.isUp(await headersOf(context))
    },
    async execute(request, context) {
      try {
        return await http.post(request, await headersOf(context))
      } catch (cause) {
        throw cause instanceof Unanswered ? unknown(name, cause) : unreachable(name, cause)
      }
    },
    async subscribe(request, context) {
      return errorsAsResults(name, await sockets.subscribe(request, context))
    },
    async stop() {
      await sockets.stop()
      await http.stop()
    },
  }
}

const unreachable = (name: string, cause: unknown) =>
  new AppError('OVERLOADED', `The subgraph ${name} cannot be reached; try again`, { cause })

/** No code that clients take as the advice to try again. */
const unknown = (name: string, cause: unknown) =>
  new AppError(
    'DOWNSTREAM_SERVICE_ERROR',
    `The answer of the subgraph ${name} was lost: it is unknown whether this was carried out; check before you repeat it`,
    { cause },
  )

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
