import type { OutboundRequest } from '../../../platform/outbound/outbound.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import { inSpan, traceHeaders } from '../../../platform/tracing/trace.ts'
import { type RunEnvironment, refusalOf } from '../environment.ts'
import type { Exchange } from '../evidence.ts'
import { isTooDeep } from '../json-values.ts'
import { RunError } from '../run-error.ts'
import { isAllowedHost } from './allowed-host.ts'
import type { StepContext } from './step-kind.ts'

/** What steps that send requests have in common. */
export interface RequestSettings {
  url: string
  headers?: Record<string, string>
  /** Whether the host credentials go along as HTTP Basic; by default only to the host of `baseUrl`. */
  credentials?: boolean
}

export const REQUEST_PROPERTIES = {
  url: { type: 'string', minLength: 1, maxLength: 2_048 },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  credentials: { type: 'boolean' },
}

/** What came back, as expectations see it. Names of headers are in lower case; a JSON body is JSON, any other text. */
export interface StepResponse {
  status: number
  headers: Record<string, string>
  body: unknown
}

/** Bytes of a body that a step reads. */
export const MAX_BODY_BYTES = 1024 * 1024
/** Its step's limit counts; this one only has to be longer than any. */
const TIMEOUT_MS = 86_400_000

/**
 * Sends a request to where the environment lets steps go.
 * @throws RunError HOST_NOT_ALLOWED, UNREACHABLE, TIMEOUT, MESSAGE_LIMIT
 */
export async function sendRequest(
  { url: given, headers = {}, credentials }: RequestSettings,
  content: { method: OutboundRequest['method']; type?: string; body?: string },
  { environment, outbound, signal, log, exchanged, ...context }: StepContext,
): Promise<StepResponse> {
  const url = addressOf(given, environment)
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const isHome = environment.baseUrl !== null && new URL(environment.baseUrl).origin === url.origin
  const basic = (credentials ?? isHome) && context.credentials
  const { method, type, body } = content
  const sent = {
    ...(type ? { 'content-type': type } : {}),
    ...(basic ? { authorization: basicOf(basic) } : {}),
    ...own,
  }
  const request = { method, url: url.href, headers: sent, ...keptBody(body ?? null) }
  const begun = performance.now()
  const exchange = (response: Exchange['response']) =>
    exchanged({ request, response, durationMs: Math.round(performance.now() - begun) })
  log('INFO', `${method} ${url.href}`)
  exchange(null)
  try {
    return await inSpan(`HTTP ${method}`, { kind: 'client' }, (span) =>
      outbound.send(
        {
          method,
          url: url.href,
          headers: { ...traceHeaders(), ...sent },
          ...(body === undefined ? {} : { body }),
          timeoutMs: TIMEOUT_MS,
          signal,
        },
        async ({ status, headers, read }) => {
          span?.set({ 'http.response.status_code': status })
          const { bytes, isWhole } = await read(MAX_BODY_BYTES)
          log('INFO', `${status} with ${bytes.length} bytes`)
          exchange({ status, headers: asText(headers), ...keptBody(bytes.toString('utf8')) })
          if (!isWhole)
            throw new RunError('MESSAGE_LIMIT', `The body is larger than ${MAX_BODY_BYTES} bytes`)
          return { status, headers: asText(headers), body: bodyOf(bytes, headers['content-type']) }
        },
      ),
    )
  } catch (error) {
    throw explain(error, url)
  }
}

/** Relative addresses lie below `baseUrl`. @throws RunError HOST_NOT_ALLOWED */
function addressOf(text: string, environment: RunEnvironment): URL {
  const { baseUrl } = environment
  const isRelative = !/^[a-z][a-z0-9+.-]*:/i.test(text)
  if (isRelative && baseUrl === null)
    throw new RunError(
      'INVALID_STEP',
      `${text} is relative, and there is no baseUrl: set that of the environment of the scenario`,
    )
  const joined = isRelative ? `${baseUrl?.replace(/\/$/, '')}/${text.replace(/^\//, '')}` : text
  const url = URL.parse(joined)
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RunError('INVALID_STEP', `${joined} is no http or https address`)
  if (isAllowedHost(url, environment)) return url
  const message = refusalOf(environment, `reach ${url.host}`, 'allowedHosts', url.host)
  throw new RunError('HOST_NOT_ALLOWED', message)
}

const keptBody = (body: string | null) => ({ body, bodyLength: body?.length ?? 0 })

const basicOf = ({ userId, password }: { userId: string; password: string }) =>
  `Basic ${Buffer.from(`${userId}:${password}`).toString('base64')}`

const asText = (
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]),
  )

/** What calls itself JSON and is none stays text, for expectations to complain about. */
function bodyOf(bytes: Buffer, type: string | string[] = ''): unknown {
  const text = bytes.toString('utf8')
  if (!/[/+]json\b/i.test(String(type))) return text
  try {
    const body: unknown = JSON.parse(text)
    return isTooDeep(body) ? text : body
  } catch {
    return text
  }
}

const CODES = {
  FORBIDDEN: 'HOST_NOT_ALLOWED',
  UNREACHABLE: 'UNREACHABLE',
  TIMEOUT: 'TIMEOUT',
  CANCELLED: 'CANCELLED',
} as const

function explain(error: unknown, { host }: URL): unknown {
  if (error instanceof OutboundError)
    return new RunError(CODES[error.reason], `${host}: ${error.message}`)
  if (error instanceof RunError) return error
  // A header that HTTP cannot carry, for one.
  if (error instanceof TypeError || (error instanceof Error && 'code' in error))
    return new RunError('INVALID_STEP', `${host}: ${error.message}`)
  return error
}
