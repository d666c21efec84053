import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketServer } from 'ws'
import { AppError } from '../../../formats/errors.ts'
import { failureResponse, HttpFailure, refusalText } from '../failures.ts'
import { graphqlFailure } from '../graphql/graphql.ts'
import { HttpRequest } from '../http-message.ts'

/**
 * Makes a WebSocket of each request that `http` takes for a handshake.
 * @param check throws an AppError for one that is refused
 */
export function takeHandshakes(
  http: Server,
  sockets: WebSocketServer,
  check: (message: IncomingMessage) => void,
): void {
  http.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
    try {
      check(message)
      sockets.handleUpgrade(message, socket, head, (opened) =>
        sockets.emit('connection', opened, message),
      )
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refuse(message, socket, error)
    }
  })
  sockets.on('wsClientError', ({ message: reason }, socket, message) => {
    const isVersion = reason.includes('Sec-WebSocket-Version')
    refuse(message, socket, isVersion ? otherVersion() : new AppError('BAD_USER_INPUT', reason))
  })
}

/** Answers as the pipeline does: the response of Node went with the handshake. */
function refuse(message: IncomingMessage, socket: Duplex, failure: AppError): void {
  const { url: path, requestId } = new HttpRequest(message)
  const answer = failureResponse(failure, { path, requestId, challenge: '', body: graphqlFailure })
  socket.on('error', () => socket.destroy())
  socket.once('finish', () => socket.destroy())
  socket.end(refusalText(answer, requestId))
}

/** RFC 6455, section 4.4. */
const otherVersion = () =>
  new HttpFailure('UPGRADE_REQUIRED', 'WebSockets of the versions 13 and 8 are served', {
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13, 8',
  })
