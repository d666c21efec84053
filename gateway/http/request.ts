import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Caller } from '../../subgraphs/platform/access/caller.ts'
import { requestIdOf } from '../../subgraphs/platform/request/request-scope.ts'
import { traceparentOf } from '../../subgraphs/platform/tracing/trace.ts'
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
  /** Who sends it: a stranger without permissions until the sign-in says more. */
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
    this.requestId = requestIdOf(message)
    this.traceparent = traceparentOf(message.headers.traceparent)
    this.caller = { requestId: this.requestId, user: null, permissions: [] }
  }

  get remoteAddress(): string | undefined {
    return this.#message.socket.remoteAddress
  }

  /** What was written to its connection, which may serve one request after the other. */
  get bytesWritten(): number {
    return this.#message.socket.bytesWritten
  }

  /** Whether it came over TLS to this process. */
  get isEncrypted(): boolean {
    return 'encrypted' in this.#message.socket
  }

  /** Reads the body, inflated. @throws as `readPieces` of body/read.ts */
  readPieces(limit: BodyLimit, onPiece: (piece: Buffer) => void): Promise<void> {
    return readPieces(this.#message, limit, onPiece)
  }
}

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''
