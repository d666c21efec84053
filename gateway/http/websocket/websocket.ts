import type { Server } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type ExecutionArgs, type ExecutionResult, GraphQLError, parse } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { type WebSocket, WebSocketServer } from 'ws'
import { AppError, failureExtensions } from '../../../formats/errors.ts'
import { type Context, isStranger } from '../../../platform/access/caller.ts'
import { isObject, type PreparedOperation } from '../../federation/index.ts'
import { clientNameIn } from '../../observability/client-name.ts'
import type { Metrics } from '../../observability/metrics.ts'
import type { ClientOperations } from '../../operations/client-operations.ts'
import type { Given } from '../../sign-in/credential.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import type { StreamEnd, WatchSignIn } from '../../sign-in/watch-sign-in.ts'
import { stopping } from '../failures.ts'
import { type ContextOf, type Forwarded, keptOf } from '../graphql/context.ts'
import { STRANGER_MAX_BYTES } from '../graphql/params.ts'
import { plain, withRequestId } from '../graphql/response-text.ts'
import { HttpRequest } from '../http-message.ts'
import { isStrange, strangeness } from '../origins.ts'
import type { StreamSettings } from '../stream-settings.ts'
import type { NoteSent } from '../unread-responses.ts'
import { SocketBackpressure } from './backpressure.ts'
import { ClientSocket, type MessageLimit } from './client-socket.ts'
import { CLOSE, closeWhenExpired } from './close-codes.ts'
import { takeHandshakes } from './handshake.ts'
import { closeWhenStalled, keepAlive } from './liveness.ts'
import { answerMessages, type Opened } from './messages.ts'
import { SocketStream } from './stream.ts'

/** Time that a stop waits for queries and mutations, and after that for clients to close their sockets. */
const GRACE_MS = 30_000
const FAREWELL_MS = 2_000

/** Operation that graphql-ws carries from `onSubscribe` to `execute` and `subscribe`. */
interface Prepared {
  operation: PreparedOperation
  variables: Record<string, unknown>
  context: Context
  id: string
  client: Opened
}

export interface WebSocketOptions {
  operations: ClientOperations
  contextOf: ContextOf
  settings: StreamSettings
  signIn: Pick<SignIn, 'of'>
  watch: WatchSignIn
  noteSent: NoteSent
  corsOrigins: readonly string[]
  forwarded?: (() => Forwarded) | undefined
  countClient: Metrics['countClient']
}

/**
 * GraphQL over WebSocket (graphql-transport-ws): queries, mutations and subscriptions.
 * @param http decides which requests become a WebSocket
 */
export function serveGraphqlWebSocket(
  http: Server,
  options: WebSocketOptions,
): { stop(): Promise<void> } {
  const { operations, contextOf, settings, signIn, watch, corsOrigins, forwarded } = options
  const { countClient } = options
  const { keepAliveMs, initTimeoutMs, bufferBytes, stallMs, maxPerSocket } = settings
  const tooManyStreams = {
    errors: [new GraphQLError(tooMany(maxPerSocket), { extensions: RETRY })],
  }
  let isStopping = false
  /** Queries and mutations that have not been answered yet. */
  const running = new Map<WebSocket, Set<string>>()
  const maxBytes = operations.rules.limits.OPERATION_MAX_BYTES
  const limit: MessageLimit = {
    bytes: maxBytes,
    exceeded: `A message has at most ${maxBytes} bytes (OPERATION_MAX_BYTES): send less at a time`,
  }
  const strangerLimit = maxBytes <= STRANGER_MAX_BYTES ? limit : STRANGER_LIMIT
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols,
    WebSocket: ClientSocket,
  })
  takeHandshakes(http, sockets, ({ headers }) => {
    if (isStopping) throw new AppError('OVERLOADED', RESTARTS)
    // Browsers send no preflight for a WebSocket: pages of other origins are refused here.
    if (isStrange(headers, corsOrigins)) throw new AppError('FORBIDDEN', strangeness(headers))
  })
  function answered(socket: WebSocket, id: string): void {
    const ids = running.get(socket)
    if (!ids?.delete(id) || ids.size > 0) return
    running.delete(socket)
    // Responses are on their way by then.
    if (isStopping) setImmediate(() => socket.close(...CLOSE.restart))
  }

  const server = makeServer<Given, Opened>({
    connectionInitWaitTimeout: initTimeoutMs,
    async onConnect({ extra: { socket, request }, connectionParams }) {
      request.caller = await signIn.of(request, connectionParams)
      // No second event would end what begins below.
      if (socket.closed) return false
      if (request.caller.refusal) return false
      if (!isStranger(request.caller)) socket.take(limit)
      const end = (why: StreamEnd) => socket.close(...CLOSE_OF[why])
      socket.once('close', watch(request, connectionParams, end))
      return closeWhenExpired(socket, request.caller)
    },
    async onSubscribe({ extra, connectionParams }, id, payload) {
      const { socket, request, backpressure } = extra
      await backpressure.wait()
      // The turns bound what a client has prepared at a time, too. What waits when it goes is not prepared.
      const operation = await backpressure.run(async () =>
        socket.closed ? [GONE] : operations.prepare(payload, request.caller),
      )
      if (extra.client) countClient(extra.client, 'run' in operation ? '200' : '400')
      // The client is gone, or about to reconnect.
      if (isStopping || socket.closed) return [STOPPING]
      if (!('run' in operation)) return operation
      const context = contextOf(request, connectionParams)
      const variables = payload.variables ?? {}
      const prepared: Prepared = { operation, variables, context, id, client: extra }
      // Only `contextValue` is read again; from the rest graphql-ws only learns the kind of operation.
      return {
        schema: operations.schema,
        document: DOCUMENT_OF[operation.kind],
        contextValue: prepared,
      }
    },
    execute: ({ contextValue }: ExecutionArgs) => {
      const { operation, variables, context, id, client } = contextValue as Prepared
      const { socket, backpressure } = client
      const ids = running.get(socket) ?? new Set()
      running.set(socket, ids.add(id))
      return backpressure.run(async () =>
        socket.closed ? { errors: [GONE] } : operation.run(variables, context).catch(refusal),
      )
    },
    /** The turn of a subscription ends when its stream is open, or its subgraph takes long: others wait for it. */
    subscribe: ({ contextValue }: ExecutionArgs) =>
      new Promise((resolve, reject) => {
        const { operation, variables, context, id, client } = contextValue as Prepared
        const { socket, streams, backpressure } = client
        const open = async () => {
          if (socket.closed) return resolve({ errors: [GONE] })
          const events = await operation.subscribe(variables, context)
          if (!('deliverTo' in events)) return resolve(events)
          if (streams.size >= maxPerSocket) return resolve(tooManyStreams)
          const stream = new SocketStream(events, client, id, context.caller.requestId)
          resolve(stream)
          await Promise.race([stream.opened, delay(OPENING_MS, undefined, { ref: false })])
        }
        backpressure.run(open).catch(reject)
      }),
    onComplete: ({ extra }, id) => answered(extra.socket, id),
    onClose: ({ extra }) => void running.delete(extra.socket),
    onPing: ({ extra }) => extra.backpressure.wait(),
    onNext: ({ extra }, _id, _payload, _args, result: ExecutionResult) => ({
      ...result,
      errors: result.errors?.map((error) => withRequestId(plain(error), extra.request.requestId)),
    }),
    onError: ({ extra }, _id, _payload, errors) =>
      errors.map((error) => withRequestId(plain(error), extra.request.requestId)),
  })
  sockets.on('connection', (socket, message) => {
    const backpressure = new SocketBackpressure(socket, bufferBytes)
    socket.take(strangerLimit)
    socket.noteSent = options.noteSent
    socket.on('ping', () => void backpressure.wait())
    keepAlive(socket, message.socket, keepAliveMs)
    closeWhenStalled(socket, message.socket, stallMs)
    const request = new HttpRequest(message)
    const opened: Opened = { socket, request, backpressure, streams: new Set() }
    answerMessages(server, opened, (payload) => {
      // Browsers cannot set headers of a WebSocket.
      const below = isObject(payload.headers) ? payload.headers : {}
      opened.client = clientNameIn({ ...below, ...payload, ...request.headers })
      return keptOf(payload, forwarded?.() ?? NONE)
    })
  })
  return {
    /** Closes sockets so that clients reconnect; pending answers are sent first. */
    async stop() {
      isStopping = true
      for (const socket of sockets.clients) if (!running.has(socket)) socket.close(...CLOSE.restart)
      const until = performance.now() + GRACE_MS
      while (running.size > 0 && performance.now() < until) await delay(LOOK_MS)
      // Clients of graphql-ws repeat what a close leaves open, mutations as well.
      for (const [socket, ids] of running)
        for (const id of ids) socket.send(JSON.stringify({ id, type: 'error', payload: [CUT] }))
      for (const socket of sockets.clients) {
        socket.close(...CLOSE.restart)
        setTimeout(() => socket.terminate(), FAREWELL_MS).unref()
      }
      await promisify(sockets.close.bind(sockets))()
    },
  }
}

const NONE: Forwarded = { names: [], patterns: [] }
const LOOK_MS = 20
/** Time for which a stream that opens may keep others waiting. */
const OPENING_MS = 1_000

/** Until a client is known to have a permission. */
const STRANGER_LIMIT: MessageLimit = {
  bytes: STRANGER_MAX_BYTES,
  exceeded: `Sign in: without permissions a message has at most ${STRANGER_MAX_BYTES} bytes (STRANGER_MAX_BYTES)`,
}

const CLOSE_OF: Readonly<Record<StreamEnd, readonly [number, string]>> = {
  revoked: CLOSE.expired,
  unchecked: CLOSE.unchecked,
}

/** graphql-ws takes the kind of an operation from its document; ours is prepared and needs no other. */
const DOCUMENT_OF = {
  query: parse('query { __typename }'),
  mutation: parse('mutation { __typename }'),
  subscription: parse('subscription { __typename }'),
} as const

/** Refusal of an operation before it ran. Other errors are faults of the product. */
const refusal = (error: unknown): ExecutionResult => {
  if (error instanceof GraphQLError) return { errors: [error] }
  throw error
}

const GONE = new GraphQLError('Nobody waits for this any more')

const tooMany = (max: number): string =>
  `A WebSocket has at most ${max} open subscriptions (SUBSCRIPTION_MAX_PER_SOCKET): complete some, or open another WebSocket`

const RETRY = failureExtensions('OVERLOADED')
const RESTARTS = 'The server restarts; connect again'
const CUT = new GraphQLError(stopping().message, { extensions: RETRY })
const STOPPING = new GraphQLError(RESTARTS, { extensions: RETRY })
