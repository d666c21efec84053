import type { Server } from 'node:http'
import { promisify } from 'node:util'
import type { ExecutionArgs, ExecutionResult } from 'graphql'
import { handleProtocols, makeServer } from 'graphql-ws'
import { WebSocketServer } from 'ws'
import { AppError } from '../../../formats/errors.ts'
import { isStranger } from '../../../platform/access/caller.ts'
import { isObject } from '../../federation/index.ts'
import { clientNameIn } from '../../observability/client-name.ts'
import type { Given } from '../../sign-in/credential.ts'
import type { SignIn } from '../../sign-in/sign-in.ts'
import type { StreamEnd, WatchSignIn } from '../../sign-in/watch-sign-in.ts'
import type { NoteSent } from '../connection-bounds.ts'
import { type Forwarded, keptOf } from '../graphql/context.ts'
import { STRANGER_MAX_BYTES } from '../graphql/params.ts'
import { plain, withRequestId } from '../graphql/response-text.ts'
import { HttpRequest } from '../http-message.ts'
import { isStrange, strangeness } from '../origins.ts'
import type { StreamSettings } from '../stream-settings.ts'
import { SocketBackpressure } from './backpressure.ts'
import { ClientSocket, type MessageLimit } from './client-socket.ts'
import { CLOSE, closeWhenExpired } from './close-codes.ts'
import { takeHandshakes } from './handshake.ts'
import { closeWhenStalled, keepAlive } from './liveness.ts'
import { answerMessages, type Opened } from './messages.ts'
import {
  type Prepared,
  SocketOperations,
  type SocketOperationsOptions,
} from './socket-operations.ts'

export interface WebSocketOptions extends SocketOperationsOptions {
  settings: StreamSettings
  signIn: Pick<SignIn, 'of'>
  watch: WatchSignIn
  noteSent: NoteSent
  corsOrigins: readonly string[]
  forwarded?: (() => Forwarded) | undefined
}

/**
 * GraphQL over WebSocket (graphql-transport-ws): queries, mutations and subscriptions.
 * @param http decides which requests become a WebSocket
 */
export function serveGraphqlWebSocket(
  http: Server,
  options: WebSocketOptions,
): { stop(): Promise<void> } {
  const { settings, corsOrigins, noteSent, forwarded } = options
  const limits = limitsOf(options.operations.rules.limits.OPERATION_MAX_BYTES)
  const operations = new SocketOperations(options)
  const sockets = new WebSocketServer({ noServer: true, handleProtocols, WebSocket: ClientSocket })
  takeHandshakes(http, sockets, ({ headers }) => {
    operations.requireServing()
    // Browsers send no preflight for a WebSocket: pages of other origins are refused here.
    if (isStrange(headers, corsOrigins)) throw new AppError('FORBIDDEN', strangeness(headers))
  })
  const server = makeServer<Given, Opened>({
    connectionInitWaitTimeout: settings.initTimeoutMs,
    onConnect: ({ extra, connectionParams }) => connect(extra, connectionParams, options, limits),
    onSubscribe: ({ extra, connectionParams }, id, payload) =>
      operations.prepare(payload, { id, client: extra, connectionParams }),
    execute: ({ contextValue }: ExecutionArgs) => operations.run(contextValue as Prepared),
    subscribe: ({ contextValue }: ExecutionArgs) => operations.subscribe(contextValue as Prepared),
    onComplete: ({ extra }, id) => operations.answered(extra.socket, id),
    onClose: ({ extra }) => operations.forget(extra.socket),
    onPing: ({ extra }) => extra.backpressure.wait(),
    onNext: ({ extra }, _id, _payload, _args, result: ExecutionResult) => ({
      ...result,
      errors: result.errors?.map((error) => withRequestId(plain(error), extra.request.requestId)),
    }),
    onError: ({ extra }, _id, _payload, errors) =>
      errors.map((error) => withRequestId(plain(error), extra.request.requestId)),
  })
  sockets.on('connection', (socket, message) => {
    const backpressure = new SocketBackpressure(socket, settings.bufferBytes)
    socket.take(limits.ofStrangers)
    socket.noteSent = noteSent
    socket.on('ping', () => void backpressure.wait())
    keepAlive(socket, message.socket, settings.keepAliveMs)
    closeWhenStalled(socket, message.socket, settings.stallMs)
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
      await operations.stop(sockets.clients)
      for (const socket of sockets.clients) {
        socket.close(...CLOSE.restart)
        setTimeout(() => socket.terminate(), FAREWELL_MS).unref()
      }
      await promisify(sockets.close.bind(sockets))()
    },
  }
}

/** Signs a client in. @returns false where the connection is not accepted */
async function connect(
  { socket, request }: Opened,
  params: Given | null | undefined,
  { signIn, watch }: WebSocketOptions,
  limits: Limits,
): Promise<false | undefined> {
  request.caller = await signIn.of(request, params)
  // No second event would end what begins below.
  if (socket.closed || request.caller.refusal) return false
  if (!isStranger(request.caller)) socket.take(limits.ofUsers)
  const end = (why: StreamEnd) => socket.close(...CLOSE_OF[why])
  socket.once('close', watch(request, params, end))
  closeWhenExpired(socket, request.caller)
  return undefined
}

/** Limits of a message. */
interface Limits {
  ofUsers: MessageLimit
  /** Until a client is known to have a permission. */
  ofStrangers: MessageLimit
}

const limitsOf = (maxBytes: number): Limits => {
  const ofUsers = {
    bytes: maxBytes,
    exceeded: `A message has at most ${maxBytes} bytes (OPERATION_MAX_BYTES): send less at a time`,
  }
  const ofStrangers = {
    bytes: STRANGER_MAX_BYTES,
    exceeded: `Sign in: without permissions a message has at most ${STRANGER_MAX_BYTES} bytes (STRANGER_MAX_BYTES)`,
  }
  return { ofUsers, ofStrangers: maxBytes <= STRANGER_MAX_BYTES ? ofUsers : ofStrangers }
}

/** Time that a stop waits for clients to close their sockets. */
const FAREWELL_MS = 2_000
const NONE: Forwarded = { names: [], patterns: [] }

const CLOSE_OF: Readonly<Record<StreamEnd, readonly [number, string]>> = {
  revoked: CLOSE.expired,
  unchecked: CLOSE.unchecked,
}
