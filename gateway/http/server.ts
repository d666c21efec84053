import { randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import { AppError } from '../../formats/errors.ts'
import type { Logger } from '../../platform/process/logger.ts'
import { CLOSABLE } from '../../platform/subgraph/close-gracefully.ts'
import { PieceCount, READ_BEGINS } from './body/read.ts'
import { closeBehindEarly, inOrder, MAX_WAITING } from './connection-bounds.ts'
import { failureResponse, refusalText } from './failures.ts'
import type { HttpLimits } from './http-limits.ts'
import { HttpRequest, send } from './http-message.ts'
import { failureOf, type ParserError, requestLineOf } from './parser-failures.ts'
import type { Pipeline } from './pipeline.ts'
import { tidyPath } from './router.ts'
import type { TlsKeys } from './tls.ts'

/** Number of connections beyond the limit that get a 503, if a request arrives in time; others are closed at once. */
const ANSWERED = 64
const ANSWERED_WITHIN_MS = 1_000

export interface ServerOptions {
  limits: HttpLimits
  log: Logger
  /** Path of WebSockets; elsewhere the offer of one is ignored. */
  socketsPath: string
  /** Says what is answered to a request that does not reach the listener. */
  failures: Pick<Pipeline, 'failureBodyOf' | 'notOffered'>
  /** Makes it speak TLS. */
  tls: TlsKeys | undefined
}

/** An HTTP server that slow, endless and countless requests cannot exhaust. */
export function createHttpServer(options: ServerOptions, listener: RequestListener): Server {
  const { limits, tls } = options
  const door = new FrontDoor(options, listener)
  const settings = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    ...CLOSABLE,
    shouldUpgradeCallback: (request: IncomingMessage) => door.mayUpgrade(request),
    requireHostHeader: false, // Node would refuse without a word
  }
  const server = tls
    ? createTlsServer(
        { ...settings, ...tls, handshakeTimeout: limits.headersTimeoutMs },
        door.answer,
      )
    : createServer(settings, door.answer)
  // Some clients close their side behind a request, as `nc -N` does. Node's types lack this property.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once(READ_BEGINS, () => response.writeContinue())
    server.emit('request', request, response)
  })
  // Expectations that are not known may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.maxConnections = limits.connections + ANSWERED
  server.on('drop', () => door.warn())
  // A connection that has not ended its handshake yet counts against `maxConnections` alone.
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => door.open(socket))
  server.on('clientError', (error: ParserError, socket: Socket) => door.refuseRest(error, socket))
  return server
}

/** Counts connections, and answers what the listener must not get. */
class FrontDoor {
  readonly #answering = new WeakMap<
    object,
    { message: IncomingMessage; response: ServerResponse }
  >()
  readonly #handle: RequestListener
  #connections = 0
  /** Those beyond the limit. */
  readonly #surplus = new WeakSet<Socket>()

  constructor(
    private readonly options: ServerOptions,
    listener: RequestListener,
  ) {
    this.#handle = inOrder(listener, (request, response) =>
      this.#refuse(request, response, tooManyWaiting()),
    )
  }

  readonly answer: RequestListener = (request, response) => {
    if (this.#surplus.has(request.socket))
      return this.#refuse(request, response, tooManyConnections(this.options.limits))
    this.#answering.set(request.socket, { message: request, response })
    closeBehindEarly(request, response)
    lingerBehind(request, response)
    const hosts = countHosts(request)
    if (hosts > 1)
      this.#refuse(request, response, new AppError('BAD_USER_INPUT', 'The header Host comes twice'))
    else if (hosts === 0 && request.httpVersion === '1.1')
      this.#refuse(request, response, new AppError('BAD_USER_INPUT', 'The header Host is missing'))
    else this.#handle(request, response)
  }

  /** Answers ahead of the pipeline, and closes the connection. */
  #refuse(message: IncomingMessage, response: ServerResponse, failure: AppError): void {
    const request = new HttpRequest(message)
    const { url: path, requestId } = request
    const body = this.options.failures.failureBodyOf(request)
    const answer = failureResponse(failure, { path, requestId, challenge: '', body })
    send(response, { ...answer, headers: { ...answer.headers, Connection: 'close' } }, requestId)
  }

  /** Many Java clients offer HTTP/2 with every request; they get HTTP/1.1. */
  mayUpgrade(request: IncomingMessage): boolean {
    return (
      request.method === 'GET' &&
      request.headers.upgrade?.toLowerCase() === 'websocket' &&
      tidyPath(request.url ?? '') === this.options.socketsPath &&
      countHosts(request) < 2 &&
      !this.#surplus.has(request.socket)
    )
  }

  open(socket: Socket): void {
    socket.setMaxListeners(0) // each pipelined stream listens to its end
    socket.allowHalfOpen = true // over TLS only from here on: a handshake that breaks off ends the connection
    socket.once('close', () => this.#connections--)
    if (++this.#connections <= this.options.limits.connections) return
    this.#surplus.add(socket)
    destroyAfter(socket, ANSWERED_WITHIN_MS)
    this.warn()
  }

  warn(): void {
    const { limits, log } = this.options
    log.warn({ HTTP_MAX_CONNECTIONS: limits.connections }, 'A connection too many was closed')
  }

  /** Answers what Node could not read, where a response may still go out, and ends the connection. */
  refuseRest(error: ParserError, socket: Socket): void {
    const { limits, log, failures } = this.options
    const { message, response } = this.#answering.get(socket) ?? {}
    const isBegun = response?.headersSent && !response.writableFinished
    const isUnreadable = error.code === 'ECONNRESET' || /^ERR_(SSL|TLS)_/.test(error.code ?? '')
    if (!socket.writable || isBegun || isUnreadable) return void socket.destroy()
    const request = message && !message.complete ? new HttpRequest(message) : undefined
    const { requestId = randomUUID() } = request ?? {}
    const line = request ?? requestLineOf(error)
    const path = line?.url ?? ''
    log.debug({ requestId, reason: error.code }, 'What came was no whole request')
    const body = line && failures.failureBodyOf(line)
    const isUnknown = line && error.code === 'HPE_INVALID_METHOD'
    const failure = isUnknown
      ? failures.notOffered(line)
      : failureOf(error, limits, request !== undefined)
    socket.end(
      refusalText(failureResponse(failure, { path, requestId, challenge: '', body }), requestId),
    )
    destroyAfter(socket, LINGER.ms) // a client that does not close its side would keep it for ever
  }
}

/** Node keeps the first of several; a server in front may have read another (RFC 9112, section 3.2). */
function countHosts({ rawHeaders }: IncomingMessage): number {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2)
    if (rawHeaders[index]?.length === 4 && rawHeaders[index]?.toLowerCase() === 'host') hosts++
  return hosts
}

const tooManyConnections = ({ connections }: HttpLimits): AppError =>
  new AppError(
    'OVERLOADED',
    `Too many connections are open (HTTP_MAX_CONNECTIONS is ${connections}): try again later`,
    { retryAfterSeconds: 1 },
  )

const tooManyWaiting = (): AppError =>
  new AppError(
    'OVERLOADED',
    `More than ${MAX_WAITING} requests of this connection wait for the ones before: read responses before sending more`,
    { retryAfterSeconds: 1 },
  )

/** @returns what lets it live */
function destroyAfter(socket: Socket, ms: number): () => void {
  const giveUp = setTimeout(() => socket.destroy(), ms)
  const stop = () => {
    clearTimeout(giveUp)
    socket.off('close', stop)
  }
  socket.once('close', stop)
  return stop
}

/** Limits of reading a request after it was answered. */
const LINGER = { ms: 5_000, bytes: 64 * 1024 * 1024 }

/**
 * Reads on for a while behind an answer that comes before the request has ended. Node destroys a connection that is not
 * kept right behind its answer: what the client still sends resets it, and may take the answer away. So the connection
 * is closed for writing alone until the client closes it, and destroyed where that takes too long.
 */
export function lingerBehind(
  request: IncomingMessage,
  response: ServerResponse,
  { ms, bytes } = LINGER,
): void {
  // Ahead of Node's own listener, which closes the connection.
  response.prependOnceListener('finish', () => {
    const { socket } = request
    if (request.complete || socket.destroyed) return
    const { destroySoon } = socket
    let isKept = true
    socket.destroySoon = () => {
      isKept = false
      socket.end()
    }
    const stop = destroyAfter(socket, ms)
    const count = new PieceCount()
    let left = bytes
    request
      .on('data', (piece: Buffer) => {
        left -= piece.length
        if (left < 0 || !count.add(piece)) socket.destroy()
      })
      .once('end', () => {
        if (!isKept) return
        stop()
        socket.destroySoon = destroySoon
      })
      .resume()
  })
}
