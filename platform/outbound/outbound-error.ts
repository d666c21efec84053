/** Why nothing came back. FORBIDDEN and INVALID were never sent; of the others the receiver may have seen something. */
export type OutboundReason = 'FORBIDDEN' | 'INVALID' | 'UNREACHABLE' | 'TIMEOUT' | 'CANCELLED'

/** A request to another server that got no answer. The message is fit for users: it names no address that a name led to. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  readonly reason: OutboundReason
  /** The receiver cannot have seen anything. */
  readonly isUnsent: boolean

  constructor(
    reason: OutboundReason,
    message: string,
    { isUnsent = false, ...options }: ErrorOptions & { isUnsent?: boolean } = {},
  ) {
    super(message, options)
    this.reason = reason
    this.isUnsent = isUnsent || reason === 'FORBIDDEN' || reason === 'INVALID'
  }
}

export const forbidden = (message: string): OutboundError => new OutboundError('FORBIDDEN', message)

/**
 * Cause underneath, in words that hold no part of the request but names of headers.
 * @param cancel what the caller may have cancelled it with
 */
export function outboundError(cause: unknown, cancel?: AbortSignal): OutboundError {
  if (cause instanceof OutboundError) return cause
  if (cancel?.aborted) return new OutboundError('CANCELLED', 'The request was cancelled', { cause })
  const { name, code = '', message } = cause as { name?: string; code?: string; message?: string }
  if (name === 'TimeoutError') return new OutboundError('TIMEOUT', 'No answer in time', { cause })
  if (INVALID.has(code))
    return new OutboundError('INVALID', `The request cannot be sent: ${message}`, { cause })
  const known = code.startsWith('HPE_') ? 'The answer is not HTTP' : FAILURES[code]
  const text = known ?? `The request failed${code && ` (${code})`}`
  const reason = TIMEOUTS.has(code) ? 'TIMEOUT' : 'UNREACHABLE'
  return new OutboundError(reason, text, { cause, isUnsent: NOT_CONNECTED.has(code) })
}

/** Between us and a proxy: what a receiver does reaches us as an answer, or through the tunnel. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_TLS',
  'UND_ERR_PRX_CONN',
])

/** Names the proxy of OUTBOUND_PROXY where it is the reason of a failure. */
export function ofProxy(cause: unknown): unknown {
  const { code = '', message = '' } = cause as { code?: string; message?: string }
  const [, status] = /^Proxy (?:response|Authentication Required) \((\d+)\)/.exec(message) ?? []
  if (status === undefined && !NOT_CONNECTED.has(code)) return cause
  const fault = status === undefined ? (FAILURES[code] ?? code) : `it answered ${status}`
  const reason = TIMEOUTS.has(code) ? 'TIMEOUT' : 'UNREACHABLE'
  const text = `The proxy of the operator (OUTBOUND_PROXY) did not connect: ${fault}`
  return new OutboundError(reason, text, { cause })
}

/** Their messages name a header, and no value. */
const INVALID = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
])

const TIMEOUTS = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'])

const FAILURES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before an answer came',
  UND_ERR_SOCKET: 'The connection was closed before an answer came',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'The connection was closed in the middle of the answer',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large',
  ERR_SSL_WRONG_VERSION_NUMBER: 'The receiver does not speak TLS',
  ENOTFOUND: 'The name is unknown',
  EAI_AGAIN: 'The name could not be resolved',
  EHOSTUNREACH: 'The receiver cannot be reached',
  ENETUNREACH: 'The receiver cannot be reached',
  ETIMEDOUT: 'No connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'No connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'No answer in time',
  CERT_HAS_EXPIRED: 'The certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The issuer of the certificate is unknown',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name',
}
