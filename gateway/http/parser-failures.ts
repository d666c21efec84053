import { AppError } from '../../formats/errors.ts'
import type { HttpLimits } from './http-limits.ts'
import type { RequestLine } from './router.ts'

/** Error of Node's parser. */
export interface ParserError extends NodeJS.ErrnoException {
  /** Fault, in fixed words. */
  reason?: string
  /** The piece with the fault, and the fault's place in it. */
  rawPacket?: Buffer
  bytesParsed?: number
}

/** The request line above a fault in the headers. @returns undefined where it came in another piece than the fault, or another request with it */
export function requestLineOf({
  rawPacket,
  bytesParsed = 0,
}: ParserError): RequestLine | undefined {
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

/** First bytes of both versions, without the line breaks of the second, which a parser passes over. */
const PROXY_SIGNATURES = ['PROXY ', '\0\r\nQUIT\n']

const isProxyProtocol = (packet: Buffer): boolean => {
  const text = packet.toString('latin1', 0, 16).replace(/^[\r\n]+/, '')
  return PROXY_SIGNATURES.some((signature) => text.startsWith(signature))
}

const PROXY_PROTOCOL = new AppError(
  'BAD_USER_INPUT',
  'A proxy in front speaks the PROXY protocol, which is not read here: turn it off there (send-proxy, proxy_protocol, write-proxy), and have the proxy set X-Forwarded-For',
)

/** @param hasHeaders whether only the body is at fault */
export function failureOf(
  { code, reason, rawPacket }: ParserError,
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
  if (rawPacket && isProxyProtocol(rawPacket)) return PROXY_PROTOCOL
  if (!reason || code === 'HPE_INVALID_METHOD')
    return new AppError('BAD_USER_INPUT', 'This is no HTTP request')
  const [, advice] = ADVICE.find(([about]) => about.test(reason)) ?? []
  return new AppError(
    'BAD_USER_INPUT',
    `The HTTP request is malformed (${reason})${advice ? `: ${advice}` : ''}`,
  )
}
