import { CloseCode, type Server } from 'graphql-ws'
import { AppError } from '../../../formats/errors.ts'
import { MAX_EXACT_NUMBERS, parseExact } from '../../../formats/json/json.ts'
import { requireBounded } from '../../../formats/json/scanner.ts'
import { isObject, type Json } from '../../federation/index.ts'
import type { ClientName } from '../../observability/client-name.ts'
import type { Given } from '../../sign-in/credential.ts'
import type { HttpRequest } from '../http-message.ts'
import type { SocketBackpressure } from './backpressure.ts'
import type { ClientSocket } from './client-socket.ts'
import { OperationIds } from './operation-ids.ts'

/** The payload of a ping or pong is echoed or ignored; none needs more. */
const PING_MAX_BYTES = 64 * 1024

/** State of a client's socket. */
export interface Opened {
  socket: ClientSocket
  /** The one that asked for the socket. */
  request: HttpRequest
  backpressure: SocketBackpressure
  /** Subscriptions that are open. */
  streams: Set<object>
  /** The name that it gives itself, in its headers or in what opens the connection. */
  client?: ClientName | undefined
}

/**
 * Hands messages of clients to graphql-ws once they are known to be bounded, and parsed: its own binding parses whatever
 * comes, and a reviver for exact numbers makes that slow.
 * @param kept what of the payload of `connection_init` is kept for as long as the socket is open
 */
export function answerMessages(
  server: Server<Opened>,
  opened: Opened,
  kept: (payload: Given) => Given,
): void {
  const { socket } = opened
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (text) =>
        new Promise((resolve) => {
          if (socket.closed) return resolve()
          // A write fails where the client is gone, of which the socket may not have heard yet: that is no failure of ours.
          socket.deliver(text, () => resolve())
        }),
      close: (code, reason) => socket.close(code, reason),
      onMessage(take) {
        // graphql-ws accepts a parsed message, though its types allow text only.
        const ids = new OperationIds(socket, (message) => take(message as unknown as string))
        socket.on('message', (bytes: Buffer) => void answer(socket, bytes, kept, ids))
      },
    },
    opened,
  )
  socket.on('error', () => {}) // ws has closed it by then
  socket.once('close', (code, reason) => void closed(code, String(reason)))
}

async function answer(
  socket: ClientSocket,
  bytes: Buffer,
  kept: (payload: Given) => Given,
  ids: OperationIds,
): Promise<void> {
  // Messages that were on their way when the socket was closed still arrive.
  if (socket.closed) return
  const message = messageOf(bytes)
  if (message instanceof AppError) return socket.closeAsTooBig(message.message)
  if (!message) return socket.close(CloseCode.BadRequest, 'Invalid message received')
  const { type, payload } = message
  if ((type === 'ping' || type === 'pong') && bytes.length > PING_MAX_BYTES)
    return socket.closeAsTooBig(
      `A ${type} has ${bytes.length} bytes; at most ${PING_MAX_BYTES} are taken (PING_MAX_BYTES)`,
    )
  if (type === 'connection_init' && isObject(payload)) message.payload = kept(payload)
  try {
    await ids.give(message)
  } catch (error) {
    console.error('A message over WebSocket could not be answered', error)
    socket.close(CloseCode.InternalServerError, 'Internal server error')
  }
}

/** @returns undefined unless it is a message */
function messageOf(bytes: Buffer): Json | AppError | undefined {
  try {
    requireBounded(bytes)
    const message = parseExact(String(bytes), MAX_EXACT_NUMBERS)
    return isObject(message) ? message : undefined
  } catch (error) {
    return error instanceof AppError ? error : undefined
  }
}
