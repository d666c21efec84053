import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http'
import type { Writable } from 'node:stream'
import ipaddr from 'ipaddr.js'
import type { Caller } from '../../platform/access/caller.ts'
import { parseCidr } from '../../platform/outbound/cidr.ts'
import { requestIdOf, traceparentOf } from '../../platform/tracing/trace.ts'
import { type BodyLimit, readPieces } from './body/read.ts'

/** Names in lower case. */
export type Headers = Readonly<IncomingHttpHeaders>

/** Clients may name the host in the request line, as they do for proxies (RFC 9112, section 3.2.2). */
const ABSOLUTE_FORM = /^https?:\/\/([^/?#]+)(.*)$/i

/** One request of a client, as handlers see it. */
export class HttpRequest {
  readonly method: string
  /** Path and query, as the client wrote them. */
  readonly url: string
  readonly headers: Headers
  readonly requestId: string
  /** The parent of what the request leads to: as it came, or our own span below that. */
  traceparent: string | undefined
  /** Sender: a stranger without permissions until the sign-in says more. */
  caller: Caller
  readonly #message: IncomingMessage

  constructor(message: IncomingMessage) {
    const [, host, rest = ''] =
      message.url?.charAt(0) === '/' ? [] : (ABSOLUTE_FORM.exec(message.url ?? '') ?? [])
    if (host !== undefined) {
      message.headers.host = host
      message.url = rest.startsWith('/') ? rest : `/${rest}`
    }
    this.#message = message
    this.method = message.method ?? ''
    this.url = message.url ?? ''
    this.headers = message.headers
    this.requestId = requestIdOf(message.headers['x-request-id'])
    this.traceparent = traceparentOf(message.headers.traceparent)
    this.caller = { requestId: this.requestId, user: null, permissions: [] }
  }

  get remoteAddress(): string | undefined {
    return this.#message.socket.remoteAddress
  }

  /** The values of a header that came more than once, which `headers` joins. @param name in lower case */
  valuesOf(name: string): string[] {
    return this.#message.headersDistinct[name] ?? []
  }

  /** Bytes written to its connection, which may serve one request after the other. */
  get bytesWritten(): number {
    return this.#message.socket.bytesWritten
  }

  /** True if it came over TLS to this process. */
  get isEncrypted(): boolean {
    return 'encrypted' in this.#message.socket
  }

  /**
   * Calls back when the client closes its side, at once if it has. It may still read; only a write would show that it is
   * gone.
   * @returns what calls it off
   */
  onceClientEnded(listener: () => void): () => void {
    const { socket } = this.#message
    if (socket.readableEnded) listener()
    else socket.once('end', listener)
    return () => socket.off('end', listener)
  }

  /** Reads the body, inflated. @throws as `readPieces` of body/read.ts */
  readPieces(limit: BodyLimit, onPiece: (piece: Buffer) => void): Promise<void> {
    return readPieces(this.#message, limit, onPiece)
  }
}

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

/** Compiles the check whether an address is one of the servers in front. @param networks in CIDR notation */
export function trusted(networks: readonly string[]): (address: string | undefined) => boolean {
  const parsed = networks.map(parseCidr)
  if (parsed.length === 0) return () => false
  return (text) => {
    if (!text || !ipaddr.isValid(text)) return false
    const address = ipaddr.process(text) // IPv4 inside IPv6 as IPv4
    return parsed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    )
  }
}

/**
 * Address that a request came from: the last in X-Forwarded-For that is none of the servers in front. A hop
 * that is no address ends the search: clients write there what they like.
 */
export function clientAddress(
  { remoteAddress, headers }: Pick<HttpRequest, 'remoteAddress' | 'headers'>,
  isTrusted: (address: string | undefined) => boolean,
): string {
  let address = remoteAddress ?? ''
  if (!isTrusted(address)) return address
  const hops = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((hop) => withoutPort(hop.trim()))
    .filter(Boolean)
  while (isTrusted(address) && ipaddr.isValid(hops.at(-1) ?? '')) address = hops.pop() ?? ''
  return address
}

/** By which a client reached the first server in front, as that says it: the first value, in lower case (RFC 7239). */
export function protocolBefore(headers: Headers): string | undefined {
  const { 'x-forwarded-proto': given, forwarded } = headers
  const [first = ''] = String(given ?? forwarded ?? '').split(',')
  const value = given === undefined ? /(?:^|;)\s*proto="?([^";]*)/i.exec(first)?.[1] : first
  return value?.trim().toLowerCase()
}

/** Some servers add `203.0.113.7:49152` or `[2001:db8::7]:49152`. */
const withoutPort = (hop: string): string =>
  hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** Response of a handler. */
export type HttpResponse = TextResponse | StreamResponse | ExpressResponse

export interface TextResponse {
  status: number
  /** A list is a header for each of its values. */
  headers: Readonly<Record<string, string | number | string[]>>
  /** Undefined where there is no body. */
  text: string | Buffer | undefined
  /** Never compressed. */
  isPlain?: boolean
}

/** A body that is written over time. */
export interface StreamResponse {
  status: number
  headers: Readonly<Record<string, string | string[]>>
  /** Gets the body once status and headers are sent. */
  stream(body: Writable): void
}

/** Files, which Express serves with ranges, validators and compression. */
export interface ExpressResponse {
  express(...args: [...Parameters<RequestListener>, next: (error?: unknown) => void]): void
}

/** An answer that is not a text yet. */
export interface Answer {
  status: number
  /** Sent as JSON, unless `mediaType` says what kind of text it is; undefined for no body. */
  body: unknown
  mediaType?: string
  headers?: Readonly<Record<string, string | string[]>>
}

/** A file. */
export const bytesResponse = (
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  mediaType: string,
  bytes: Buffer,
): TextResponse => ({
  status,
  headers: { 'Content-Type': mediaType, 'Content-Length': bytes.length, ...headers },
  text: bytes,
})

export function textResponse({
  status,
  body,
  mediaType = 'application/json',
  headers = {},
}: Answer): TextResponse {
  if (body === undefined) return { status, headers, text: undefined }
  const text = mediaType === 'application/json' ? JSON.stringify(body) : String(body)
  return withText({ status, headers }, mediaType, text)
}

/** An answer whose JSON is made already. */
export const jsonResponse = (answer: Pick<Answer, 'status' | 'headers'>, text: string | Buffer) =>
  withText(answer, 'application/json', text)

function withText(
  { status, headers }: Pick<Answer, 'status' | 'headers'>,
  mediaType: string,
  text: string | Buffer,
): TextResponse {
  const content = {
    'Content-Type': `${mediaType}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(text),
  }
  return { status, headers: { ...content, ...headers }, text }
}

export function send(
  response: ServerResponse,
  answer: TextResponse | StreamResponse,
  requestId: string,
): void {
  // Together, Node writes headers without a table of them.
  response.writeHead(answer.status, {
    'X-Request-Id': requestId,
    ...answer.headers,
    ...perCaller(answer.headers, response.getHeader('Vary')),
  })
  if ('stream' in answer) answer.stream(response)
  // As a string it goes out in one piece with the headers.
  else response.end(answer.text)
}

/** Request headers that choose a representation, and those that identify a caller. */
const ENCODING_HEADER = 'Accept-Encoding'
const CALLER_HEADERS = `Accept, ${ENCODING_HEADER}, Authorization, Cookie, Token`

/**
 * `Cache-Control` and `Vary` of a response that does not set them itself (RFC 9111). A response depends on its caller
 * unless it says otherwise, so no cache in front may hand it to another one.
 * @param vary what CORS has set, which would be lost
 */
export function perCaller(
  headers: TextResponse['headers'],
  vary?: number | string | string[],
): Record<string, string> {
  const isOfAll = headers['Cache-Control'] !== undefined
  const by = isOfAll ? ENCODING_HEADER : CALLER_HEADERS
  return {
    ...(!isOfAll && {
      'Cache-Control': headers.ETag === undefined ? 'no-store' : 'private, no-cache',
    }),
    Vary: [...new Set([vary, headers.Vary, by].filter((each) => each !== undefined))].join(', '),
  }
}
