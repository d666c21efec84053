import { CommandError, EXIT } from './exit-codes.ts'

/** An answer that refuses, of REST, of ingestion or of GraphQL. */
interface Failure {
  message?: string
  code?: string
  extensions?: { code?: string }
  errors?: Failure[]
}

interface Asked {
  url: string
  token?: string | undefined
}

/** Why no answer came, without the lines that a TLS library adds. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error.cause instanceof Error && error.cause.message ? error.cause : error
  return /wrong version number/.test(message)
    ? 'the server there speaks no TLS; use http://'
    : message.trim()
}

/** Codes of a connection whose two sides do not agree on TLS, or on a certificate: waiting changes neither. */
const TLS_FAULT = /^(ERR_SSL_|ERR_TLS_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_)/

export const isTlsFault = (error: unknown): boolean =>
  error instanceof Error && TLS_FAULT.test((error.cause as NodeJS.ErrnoException)?.code ?? '')

/** The code of an Assay that will not be reached by trying again. */
export const NO_TLS = 'TLS_FAILED'

export const unreachable = (
  url: string,
  reason: string,
  code: string | null = null,
): CommandError =>
  new CommandError(
    EXIT.unreachable,
    `Assay cannot be reached at ${url}: ${reason.replace(/\.$/, '')}. Start it, or set ASSAY_URL to its address`,
    code,
  )

export const notAssay = (url: string, { status, headers }: Response): CommandError =>
  new CommandError(
    EXIT.unreachable,
    `The server at ${url} is not Assay: it answered HTTP ${status} with ${headers.get('content-type') ?? 'no content type'}. Set ASSAY_URL to the address of Assay`,
  )

/** @param to an address that a server chose: no user name or query of it is shown */
export const redirected = (url: string, status: number, to: URL): CommandError =>
  new CommandError(
    EXIT.unreachable,
    `The server at ${url} answered HTTP ${status} and leads to ${to.origin}${to.pathname}, where credentials are not sent. Set ASSAY_URL to an address that answers itself`,
  )

/** Ingestion answers without a code. */
const CODES: Readonly<Record<number, string>> = { 401: 'UNAUTHENTICATED', 403: 'FORBIDDEN' }

/** Explains a refusal of the product, and what to do next. */
export function refused(status: number, text: string, asked: Asked): CommandError {
  const failure = failureIn(text)
  const code = failure?.code ?? failure?.extensions?.code ?? null
  const message = failure?.message ?? `HTTP status ${status}`
  const advice = adviceOf(CODES[status] ?? code ?? '', asked)
  const whole = advice ? `${message.replace(/\.$/, '')}. ${advice}` : message
  return new CommandError(EXIT.refused, `${code ? `${code}: ` : ''}${whole}`, code)
}

function adviceOf(code: string, { url, token }: Asked): string {
  const page = `${new URL(url).origin}/administration?tab=tokens`
  if (code === 'UNAUTHENTICATED')
    return token
      ? `ASSAY_TOKEN is wrong, expired or revoked; make another one at ${page}`
      : `Set ASSAY_TOKEN to an API token; make one at ${page}`
  if (code === 'FORBIDDEN' && token)
    return `The role of its account and the scopes of the token in ASSAY_TOKEN must allow it; make another one at ${page}`
  return ''
}

function failureIn(text: string): Failure | undefined {
  try {
    const failure = JSON.parse(text) as Failure & { result?: { errors?: Failure[] } }
    return failure.errors?.[0] ?? failure.result?.errors?.[0] ?? failure
  } catch {
    return undefined
  }
}

/** The data of a GraphQL response. @throws CommandError */
export function dataOf<Data>(status: number, text: string, asked: Asked): Data {
  const { data, errors } = JSON.parse(text) as { data?: Data | null; errors?: Failure[] }
  if (errors?.[0] || !data) throw refused(status, text, asked)
  return data
}
