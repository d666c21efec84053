import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OutboundRequest } from '../../platform/outbound/outbound.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import { inSpan, traceHeaders } from '../../platform/tracing/trace.ts'
import { type RunEnvironment, refusalOf } from '../run/environment.ts'
import { RunError } from '../run/error.ts'
import type { Exchange } from '../run/evidence.ts'
import { cookieHeader, cookiesIn } from './cookies.ts'
import { bodyOf, inflated, textOf } from './response-body.ts'
import type { StepContext } from './step-kind.ts'

/** True if steps may reach the host of a URL: that of `baseUrl`, or one of those listed, which may leave the port open. */
function isAllowedHost(
  url: URL,
  { baseUrl, allowedHosts }: Pick<RunEnvironment, 'baseUrl' | 'allowedHosts'>,
): boolean {
  const home = baseUrl === null ? null : new URL(baseUrl)
  if (home && home.hostname === url.hostname && portOf(home) === portOf(url)) return true
  return allowedHosts.some((entry) => {
    const [, name = '', port] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    if (port !== undefined && port !== portOf(url)) return false
    return name.startsWith('*.') ? url.hostname.endsWith(name.slice(1)) : url.hostname === name
  })
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80')

/** Settings that steps which send requests have in common. */
export interface RequestSettings {
  url: string
  headers?: Record<string, string>
  /** Sent beside those of `headers`. */
  cookies?: Record<string, string>
  /** Sends the host credentials along as HTTP Basic; by default only to the host of `baseUrl`. */
  credentials?: boolean
}

export const REQUEST_PROPERTIES = {
  url: { type: 'string', minLength: 1, maxLength: 2_048 },
  headers: { type: 'object', additionalProperties: { type: 'string' } },
  cookies: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Cookies to send, such as those that a response has set: `$.cookies`.',
  },
  credentials: { type: 'boolean' },
}

/** Response as expectations see it. Names of headers are in lower case; a JSON body is JSON, any other text, both decoded. */
export interface StepResponse {
  status: number
  headers: Record<string, string>
  /** Those that it sets, by name. */
  cookies: Record<string, string>
  body: unknown
}

/** Bytes of a body that a step reads. */
export const MAX_BODY_BYTES = 1024 * 1024
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/
/** Characters of a body that takes its time to parse, and to judge. */
const LARGE = 100_000
/** Its step's limit counts; this one only has to be longer than any. */
const TIMEOUT_MS = 86_400_000

interface Content {
  method: OutboundRequest['method']
  type?: string
  body?: string
}

/**
 * Sends a request to where the environment lets steps go.
 * @throws RunError HOST_NOT_ALLOWED, INVALID_STEP, UNREACHABLE, TIMEOUT, MESSAGE_LIMIT
 */
export async function sendRequest(
  settings: RequestSettings,
  { method, type, body }: Content,
  context: StepContext,
): Promise<StepResponse> {
  const { environment, outbound, signal, log, exchanged } = context
  const url = addressOf(settings.url, environment)
  const sent = headersOf(settings, type, url, context)
  const request = { method, url: url.href, headers: sent, ...keptBody(body ?? null) }
  const begun = performance.now()
  let response: Exchange['response'] = null
  log('INFO', `${method} ${url.href}`)
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
          const received = asText(headers)
          const { 'content-type': type = '', 'content-encoding': coding = '' } = received
          const content = isWhole ? await inflated(bytes, coding, MAX_BODY_BYTES) : null
          const text = textOf(content ?? bytes, type)
          response = { status, headers: received, ...keptBody(text) }
          if (!content)
            throw new RunError('MESSAGE_LIMIT', `The body is larger than ${MAX_BODY_BYTES} bytes`)
          const body = bodyOf(text, type)
          // The next part of a large body has a turn of its own.
          if (text.length > LARGE) await nextTurn()
          return { status, headers: received, cookies: cookiesIn(headers['set-cookie']), body }
        },
      ),
    )
  } catch (error) {
    throw explain(error, url)
  } finally {
    exchanged({ request, response, durationMs: Math.round(performance.now() - begun) })
  }
}

/** Headers of a request: those given, and what follows from its other settings. @throws RunError INVALID_STEP */
function headersOf(
  { headers = {}, cookies = {}, credentials }: RequestSettings,
  type: string | undefined,
  url: URL,
  { environment, credentials: ofHost }: StepContext,
): Record<string, string> {
  const own = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  const unfit = Object.keys(own).find((name) => !HEADER_NAME.test(name))
  if (unfit !== undefined)
    throw new RunError('INVALID_STEP', `${JSON.stringify(unfit)} is no name of a header`)
  const isHome = environment.baseUrl !== null && new URL(environment.baseUrl).origin === url.origin
  const basic = (credentials ?? isHome) && ofHost
  return {
    ...(type ? { 'content-type': type } : {}),
    ...(basic ? { authorization: basicOf(basic) } : {}),
    ...own,
    ...(Object.keys(cookies).length > 0 && {
      cookie: [own.cookie ?? [], cookieHeader(cookies)].flat().join('; '),
    }),
  }
}

/** Relative addresses lie below `baseUrl`. @throws RunError HOST_NOT_ALLOWED */
function addressOf(text: string, environment: RunEnvironment): URL {
  const { baseUrl } = environment
  // A colon alone makes no scheme: paths such as `orders:batchGet` have one.
  const isRelative = !/^([a-z][a-z0-9+.-]*:\/\/|https?:)/i.test(text)
  if (isRelative && /^[a-z0-9.-]+:\d+([/?#]|$)/i.test(text))
    throw new RunError(
      'INVALID_STEP',
      `${text} may be a host with its port, or a path: write http://${text} or /${text}`,
    )
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

const CODES = {
  FORBIDDEN: 'HOST_NOT_ALLOWED',
  UNREACHABLE: 'UNREACHABLE',
  TIMEOUT: 'TIMEOUT',
  CANCELLED: 'CANCELLED',
  INVALID: 'INVALID_STEP',
} as const

function explain(error: unknown, { host }: URL): unknown {
  if (error instanceof OutboundError)
    return new RunError(CODES[error.reason], `${host}: ${error.message}`)
  return error
}
