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
import { failureResponse, refusalText } from './failures.ts'
import type { HttpLimits } from './http-limits.ts'
import { HttpRequest, send } from './http-message.ts'
import { inOrder, MAX_WAITING } from './request-order.ts'
import { type FailureBody, type RequestLine, tidyPath } from './router.ts'
import type { TlsKeys } from './tls.ts'

/** Number of connections beyond the limit that get a 503, if a request arrives in time; others are closed at once. */
const ANSWERED = 64
const ANSWERED_WITHIN_MS = 1_000

export interface ServerOptions {
  limits: HttpLimits
  log: Logger
  /** Path of WebSockets; elsewhere the offer of one is ignored. */
  socketsPath: string
  /** The body of a failure ahead of the listener, where it is not the common one. */
  failureBodyOf(request: RequestLine): FailureBody | undefined
  /** The failure of a request with a method that Node does not know. */
  notOffered(request: RequestLine): AppError
  /** Makes it speak TLS. */
  tls: TlsKeys | undefined
}

/** An HTTP server that slow, endless and countless requests cannot exhaust. */
export function createHttpServer(
  { limits, log, socketsPath, failureBodyOf, notOffered, tls }: ServerOptions,
  listener: RequestListener,
): Server {
  const answering = new WeakMap<object, { message: IncomingMessage; response: ServerResponse }>()
  const surplus = new WeakSet<Socket>()
  const handle = inOrder(listener, (request, response) =>
    refuse(request, response, tooManyWaiting()),
  )
  /** Answers ahead of the pipeline, and closes the connection. */
  function refuse(message: IncomingMessage, response: ServerResponse, failure: AppError): void {
    const request = new HttpRequest(message)
    const { url: path, requestId } = request
    const body = failureBodyOf(request)
    const answer = failureResponse(failure, { path, requestId, challenge: '', body })
    send(response, { ...answer, headers: { ...answer.headers, Connection: 'close' } }, requestId)
  }
  function answer(request: IncomingMessage, response: ServerResponse): void {
    if (surplus.has(request.socket)) refuse(request, response, tooManyConnections(limits))
    else {
      answering.set(request.socket, { message: request, response })
      lingerBehind(request, response)
      const hosts = countHosts(request)
      if (hosts > 1)
        refuse(request, response, new AppError('BAD_USER_INPUT', 'The header Host comes twice'))
      else if (hosts === 0 && request.httpVersion === '1.1')
        refuse(request, response, new AppError('BAD_USER_INPUT', 'The header Host is missing'))
      else handle(request, response)
    }
  }
  const options = {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    ...CLOSABLE,
    // Many Java clients offer HTTP/2 with every request; they get HTTP/1.1.
    shouldUpgradeCallback: (request: IncomingMessage) =>
      request.method === 'GET' &&
      request.headers.upgrade?.toLowerCase() === 'websocket' &&
      tidyPath(request.url ?? '') === socketsPath &&
      countHosts(request) < 2 &&
      !surplus.has(request.socket),
    requireHostHeader: false, // Node would refuse without a word
  }
  const server = tls
    ? createTlsServer({ ...options, ...tls, handshakeTimeout: limits.headersTimeoutMs }, answer)
    : createServer(options, answer)
  // Some clients close their side behind a request, as `nc -N` does. Node's types lack this property.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    request.once(READ_BEGINS, () => response.writeContinue())
    server.emit('request', request, response)
  })
  // Expectations that are not known may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.maxConnections = limits.connections + ANSWERED
  const warn = () =>
    log.warn({ HTTP_MAX_CONNECTIONS: limits.connections }, 'A connection too many was closed')
  server.on('drop', warn)
  let connections = 0
  // A connection that has not ended its handshake yet counts against `maxConnections` alone.
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    socket.setMaxListeners(0) // each pipelined stream listens to its end
    socket.allowHalfOpen = true // over TLS only from here on: a handshake that breaks off ends the connection
    socket.once('close', () => connections--)
    if (++connections <= limits.connections) return
    surplus.add(socket)
    destroyAfter(socket, ANSWERED_WITHIN_MS)
    warn()
  })
  server.on('clientError', (error: ParserError, socket: Socket) => {
    const { message, response } = answering.get(socket) ?? {}
    const isBegun = response?.headersSent && !response.writableFinished
    const isUnreadable = error.code === 'ECONNRESET' || /^ERR_(SSL|TLS)_/.test(error.code ?? '')
    if (!socket.writable || isBegun || isUnreadable) socket.destroy()
    else {
      const request = message && !message.complete ? new HttpRequest(message) : undefined
      const { requestId = randomUUID() } = request ?? {}
      const line = request ?? requestLineOf(error)
      const path = line?.url ?? ''
      log.debug({ requestId, reason: error.code }, 'What came was no whole request')
      const body = line && failureBodyOf(line)
      const isUnknown = line && error.code === 'HPE_INVALID_METHOD'
      const failure = isUnknown ? notOffered(line) : failureOf(error, limits, request !== undefined)
      socket.end(
        refusalText(failureResponse(failure, { path, requestId, challenge: '', body }), requestId),
      )
      destroyAfter(socket, LINGER.ms) // a client that does not close its side would keep it for ever
    }
  })
  return server
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

/** Error of Node's parser. */
interface ParserError extends NodeJS.ErrnoException {
  /** Fault, in fixed words. */
  reason?: string
  /** The piece with the fault, and the fault's place in it. */
  rawPacket?: Buffer
  bytesParsed?: number
}

/** The request line above a fault in the headers. @returns undefined where it came in another piece than the fault, or another request with it */
function requestLineOf({ rawPacket, bytesParsed = 0 }: ParserError): RequestLine | undefined {
  const text = rawPacket?.toString('latin1') ?? ''
  const [, method, url] = /^[\r\n]*([\w-]+) (\S+) HTTP\/1\.[01]\r\n/.exec(text) ?? []
  const isFirst = !text.slice(0, bytesParsed).includes('\r\n\r\n')
  return method && url && isFirst ? { method, url } : undefined
}

/** Remedies by the words of the parser. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /after header value|header token/,
    'a header may hold a line break, as wrapped base64 does; send each header in one line (base64 -w0)',
  ],
  [/header value char/, 'a header holds a control character'],
  [/Content-Length|Transfer-Encoding/, 'send one Content-Length, or Transfer-Encoding: chunked'],
  [/EOF/, 'it ends within its headers; end them with an empty line'],
  [/CRLF/, 'end each line with CR LF'],
  [/PRI|version/, 'use HTTP/1.1'],
  [/url|HTTP\//, 'percent-encode blanks and special characters in its URL'],
]

/** @param hasHeaders whether only the body is at fault */
function failureOf(
  { code, reason }: ParserError,
  limits: HttpLimits,
  hasHeaders: boolean,
): AppError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new AppError(
      'HEADERS_TOO_LARGE',
      `The headers have more than ${limits.headerBytes} bytes (HTTP_MAX_HEADER_BYTES): send less in URL and headers`,
    )
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError(
      'REQUEST_TIMEOUT',
      `The request took too long to arrive (HTTP_HEADERS_TIMEOUT_SECONDS is ${limits.headersTimeoutMs / 1_000}, HTTP_REQUEST_TIMEOUT_SECONDS is ${limits.requestTimeoutMs / 1_000})`,
    )
  if (hasHeaders)
    return new AppError(
      'BAD_USER_INPUT',
      'The request body is cut off, or its chunks are malformed',
    )
  if (!reason || code === 'HPE_INVALID_METHOD')
    return new AppError('BAD_USER_INPUT', 'This is no HTTP request')
  const [, advice] = ADVICE.find(([about]) => about.test(reason)) ?? []
  return new AppError(
    'BAD_USER_INPUT',
    `The HTTP request is malformed (${reason})${advice ? `: ${advice}` : ''}`,
  )
}

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
