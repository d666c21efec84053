import { type ExecutionResult, GraphQLError } from 'graphql'
import { MAX_RESPONSE } from '../../../formats/graphql/response-size.ts'
import type { Context } from '../../../platform/access/caller.ts'
import { FederationError } from '../errors.ts'
import { type JsonReader, PLAIN_JSON } from '../json-reader.ts'
import { BodyTooLong } from './http/response-reader.ts'
import type { Introduction } from './introduction.ts'
import { bodyOf, type LinkOptions, type ResponseHeaders, type SubgraphLink } from './link.ts'
import { HttpFailure, isTimeout, Malformed, RemoteHttp, Unanswered } from './remote-http.ts'
import { SubgraphSockets, socketFault } from './subgraph-sockets.ts'
import { StreamRefused, subgraphSse } from './subgraph-sse.ts'

export interface RemoteLinkOptions extends LinkOptions {
  name: string
  isOwn?: boolean
  /** Address of the subgraph, such as http://127.0.0.1:4001/graphql. */
  url: string
  introduction: Introduction
  /** Bytes of the body of a response, and of a message on its WebSocket. OPERATION_MAX_RESPONSE */
  maxBody?: number
  json?: JsonReader
  /** Headers that every request has besides, such as its place in a trace. */
  headers?(): Record<string, string>
  /** Headers of responses that clients get. */
  responseHeaders?: ResponseHeaders | undefined
}

/** Subgraphs that work on a request for longer send white space ahead of its answer. */
const SILENCE_MS = 20_000

/** Reaches a subgraph over HTTP and WebSocket, and passes the caller on. */
export function remoteLink({
  name,
  isOwn = false,
  url,
  introduction,
  silenceMs = SILENCE_MS,
  maxBody = MAX_RESPONSE,
  json = PLAIN_JSON,
  headers: others = () => ({}),
  subscriptions = {},
  tls,
  ...reach
}: RemoteLinkOptions): SubgraphLink {
  const to = { url, silenceMs, maxBody, json, ...(tls && { tls }) }
  const http = new RemoteHttp({ ...to, ...reach })
  const { protocol, path } = subscriptions
  const streamsAt = { ...to, url: path ? new URL(path, url).href : url, introduction }
  const streams = protocol === 'sse' ? subgraphSse(streamsAt) : new SubgraphSockets(streamsAt)

  const headersOf = async (context: Context) => ({
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, application/json;q=0.9',
    'x-request-id': context.caller.requestId,
    ...(context.caller.traceparent && { traceparent: context.caller.traceparent }),
    ...(await introduction.of(context)),
    ...others(),
  })

  return {
    name,
    isOwn,
    async isUp(context) {
      return http.isUp(await headersOf(context))
    },
    async execute(given, context) {
      // Before anything is waited for: what it is made of may be merged with other data meanwhile.
      const request = { ...given, body: bodyOf(given) }
      try {
        return await http.post(request, await headersOf(context))
      } catch (cause) {
        throw cause instanceof Unanswered ? unknown(name, cause) : unanswered(name, cause)
      }
    },
    async subscribe(request, context) {
      try {
        return errorsAsResults(name, await streams.subscribe(request, context))
      } catch (error) {
        throw streamFault(name, socketFault(error))
      }
    },
    async stop() {
      await streams.stop()
      http.stop()
    },
  }
}

/** When a subgraph that cannot be reached is worth another try. */
const RETRY_AFTER_SECONDS = 2

const unreachable = (name: string, cause: unknown) =>
  new FederationError(
    'DOWNSTREAM_UNREACHABLE',
    `The subgraph ${name} cannot be reached; try again`,
    {
      cause,
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    },
  )

/** Failures that another try does not mend: a server without WebSockets, or with another protocol on them. */
const NO_WEBSOCKET =
  /^Unexpected server response: (?!429|5)|^Server sent (?:no|an invalid) subprotocol/

const OTHER_PROTOCOL = 'the file of GATEWAY_CONFIG can name another protocol or path'

const streamFault = (name: string, cause: Error) => {
  const needed =
    cause instanceof StreamRefused
      ? 'text/event-stream'
      : 'a WebSocket with the protocol graphql-transport-ws'
  if (!(cause instanceof StreamRefused || NO_WEBSOCKET.test(cause.message)))
    return unreachable(name, cause)
  return new FederationError(
    'DOWNSTREAM_HTTP_ERROR',
    `The subgraph ${name} serves no subscriptions (${cause.message}): ${needed} is needed; ${OTHER_PROTOCOL}`,
    { cause },
  )
}

const httpError = (name: string, cause: HttpFailure) =>
  new FederationError(
    'DOWNSTREAM_HTTP_ERROR',
    `The subgraph ${name} answered with the HTTP status ${cause.status} and no GraphQL response`,
    { cause, ...(cause.retryAfterSeconds && { retryAfterSeconds: cause.retryAfterSeconds }) },
  )

const malformed = (name: string, cause: Malformed) =>
  new FederationError(
    'DOWNSTREAM_MALFORMED_ANSWER',
    `The subgraph ${name} answered with what is no GraphQL response`,
    { cause },
  )

const tooLong = (name: string, cause: BodyTooLong, then: string) =>
  new FederationError(
    'OPERATION_LIMIT_EXCEEDED',
    `The response of the subgraph ${name} has more than ${cause.most} bytes; OPERATION_MAX_RESPONSE allows no more. ${then}`,
    { cause },
  )

/** Nothing was changed, so it can be repeated as it is. */
function unanswered(name: string, cause: unknown) {
  if (cause instanceof BodyTooLong)
    return tooLong(name, cause, 'Ask for fewer or smaller fields, or for a page at a time.')
  if (cause instanceof HttpFailure) return httpError(name, cause)
  if (cause instanceof Malformed) return malformed(name, cause)
  if (!isTimeout(cause)) return unreachable(name, cause)
  return new FederationError(
    'DOWNSTREAM_TIMEOUT',
    `The subgraph ${name} did not answer in time; try again`,
    { cause },
  )
}

/** A change that was sent: only its author knows whether a repetition does harm. */
function unknown(name: string, cause: Unanswered) {
  if (cause.cause instanceof BodyTooLong)
    return tooLong(name, cause.cause, 'Check whether this was carried out before you repeat it.')
  const [code, reason] = isTimeout(cause)
    ? ['DOWNSTREAM_TIMEOUT', 'did not come in time']
    : ['DOWNSTREAM_ANSWER_LOST', 'was lost']
  return new FederationError(
    code,
    `The answer of the subgraph ${name} ${reason}: it is unknown whether this was carried out; check before you repeat it, or repeat it with the idempotency key that it had`,
    { cause, ...(code === 'DOWNSTREAM_ANSWER_LOST' && { retryAfterSeconds: RETRY_AFTER_SECONDS }) },
  )
}

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
        throw streamFault(name, socketFault(error))
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
