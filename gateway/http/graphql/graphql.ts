import type { ExecutionResult } from 'graphql'
import Negotiator from 'negotiator'
import { retryHeaders, statusOf } from '../../../formats/errors.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import { ANYONE } from '../../../platform/access/rules.ts'
import type { OperationResult } from '../../federation/index.ts'
import type { ClientOperations } from '../../operations/client-operations.ts'
import { returnsSecret } from '../compression.ts'
import { HttpFailure } from '../failures.ts'
import type { Headers, HttpRequest, HttpResponse, TextResponse } from '../http-message.ts'
import type { Destination, FailureBody } from '../router.ts'
import type { ContextOf } from './context.ts'
import { incrementalFor } from './incremental.ts'
import { checkedParams, readParams } from './params.ts'
import { planWish } from './query-plan.ts'
import { plain, withRequestId } from './response-text.ts'
import type { GraphqlSse } from './sse.ts'
import {
  MULTIPART,
  SERVER_SENT_EVENTS,
  type StreamFormat,
  takesMultipart,
} from './stream-format.ts'

const JSON_TYPE = 'application/json'
const RESPONSE_TYPE = 'application/graphql-response+json'
const EVENT_STREAM = 'text/event-stream'
const HTML = 'text/html'
/** Media types; the first of equally welcome ones is sent. */
const MEDIA_TYPES = [JSON_TYPE, RESPONSE_TYPE, EVENT_STREAM, HTML]
/** Values of `Accept` that most clients send. */
const COMMON: ReadonlyMap<unknown, string> = new Map([
  [undefined, JSON_TYPE],
  ['*/*', JSON_TYPE],
  ...MEDIA_TYPES.map((type): [string, string] => [type, type]),
])

export interface GraphqlOptions {
  operations: ClientOperations
  contextOf: ContextOf
  /** Answers as Server-Sent Events, and sends results with `@defer` to clients that take them in parts. */
  sse: Pick<GraphqlSse, 'respond' | 'deliver'>
  /** GraphiQL, for browsers; absent where the schema is not shown. */
  page: TextResponse | undefined
}

/**
 * GraphQL over HTTP: queries by GET and POST, mutations by POST, with media types as its specification has them, and
 * Server-Sent Events for clients that accept them.
 */
export function graphqlDestination(options: GraphqlOptions): Destination {
  const { operations, contextOf, sse, page } = options
  const maxBytes = operations.rules.limits.OPERATION_MAX_BYTES
  /** @throws AppError OVERLOADED before the stream begins, as its errors are no statuses */
  const requireRoom = () => {
    const refusal = operations.fullStreams()
    if (refusal) throw refusal
  }

  async function handle(request: HttpRequest): Promise<HttpResponse> {
    const isRead = request.method === 'GET'
    const accepted = mediaTypeFor(request.headers)
    if (accepted === HTML && isRead && page && isBrowser(request.headers)) return page
    if (isRead && request.headers['sec-websocket-key'] !== undefined) throw withoutUpgrade()
    requirePermission(request.caller, ANYONE)
    const wish = planWish(request, operations.rules.queryPlans ?? false)
    const type = wish && accepted === EVENT_STREAM ? JSON_TYPE : accepted
    if (type === EVENT_STREAM) requireRoom()
    const given = await readParams(request, maxBytes)
    if (type === EVENT_STREAM) return sse.respond(request, given)
    const params = checkedParams(request, given)
    const { operationName } = params
    await operations.requireRate?.(request.caller)
    const query = operations.textOf(params)
    const operation = await operations.prepare({ query, operationName }, request.caller)
    if (!('run' in operation)) return failed({ errors: operation }, type, request.requestId)
    if (isRead && operation.kind === 'mutation')
      throw new HttpFailure('METHOD_NOT_ALLOWED', 'Mutations are taken by POST', { Allow: 'POST' })
    const context = contextOf(request)
    const plan = wish && (await operation.explain(context))
    if (plan && 'errors' in plan) return failed(plan, type, request.requestId)
    const extensions = plan && { queryPlan: plan }
    if (wish === 'only' || (wish && operation.kind === 'subscription'))
      return response(200, type, JSON.stringify({ data: null, extensions }))
    const format = operation.kind === 'subscription' ? streamFormatFor(request.headers) : undefined
    if (format) {
      requireRoom()
      return sse.respond(request, given, format)
    }
    const incremental = operation.isDeferred && !wish ? incrementalFor(request.headers) : undefined
    const result = await operation.run(params.variables ?? {}, context, incremental !== undefined)
    if (incremental && result.rest) return sse.deliver(request, result, incremental)
    const answer = responseTo(result, type, request.requestId, extensions)
    if (operation.kind !== 'mutation') return answer
    return { ...answer, isPlain: query === undefined || returnsSecret(query) }
  }

  return {
    path: '/graphql',
    // A GET has no preflight, and its duration shows; for the JSON of a POST, browsers ask first.
    endpoints: {
      GET: { handle, isOpenToPages: false },
      POST: { handle, isOpenToPages: true },
    },
    withoutHead: true,
    failureBody: graphqlFailure,
  }
}

/** @param extensions what is shown besides what the operation has led to */
function responseTo(
  result: OperationResult,
  type: string,
  requestId: string,
  extensions?: Record<string, unknown>,
): TextResponse {
  const shown = extensions && { ...result, extensions }
  const made = result.errors
    ? failed(shown ?? result, type, requestId)
    : response(200, type, shown ? JSON.stringify(shown) : result.text)
  // Caches would take a response with a plan for one without.
  const isKept = extensions === undefined || result.headers['Cache-Control'] === undefined
  const uncached: TextResponse['headers'] = isKept ? {} : { 'Cache-Control': 'no-store' }
  return { ...made, headers: { ...result.headers, ...made.headers, ...uncached } }
}

/** Refuses a handshake whose headers a proxy kept back that was not set up for WebSockets. */
const withoutUpgrade = () =>
  new HttpFailure(
    'UPGRADE_REQUIRED',
    'A WebSocket was asked for, but its header Upgrade did not arrive: a proxy in front removed it. Have the proxy speak HTTP/1.1 to Assay and pass on Upgrade and Connection for this path',
    { Upgrade: 'websocket', Connection: 'Upgrade' },
  )

/** The body of a request that failed ahead of its operation. */
export const graphqlFailure: FailureBody = ({ message, extensions }, requestId) => ({
  errors: [{ message, extensions: { ...extensions, requestId } }],
})

const mediaTypeFor = ({ accept }: Headers): string =>
  COMMON.get(accept) ?? preferred(accept, MEDIA_TYPES) ?? JSON_TYPE

/** Java's own client prefers HTML, too, but no XHTML. */
const isBrowser = ({ accept = '' }: Headers): boolean => accept.includes('application/xhtml+xml')

/** Format of a subscription. A client that would rather have JSON, but names events, too, gets them: there is nothing else. */
function streamFormatFor(headers: Headers): StreamFormat | undefined {
  if (takesMultipart(headers)) return MULTIPART
  const { accept = '' } = headers
  const takesEvents =
    /text\/event-stream/i.test(accept) && preferred(accept, [EVENT_STREAM]) !== undefined
  return takesEvents ? SERVER_SENT_EVENTS : undefined
}

/** Parameters of a media type but q: no type is refused for its charset and the like. */
const PARAMETERS = /;\s*(?!q\s*=)[^;,=\s]+\s*=\s*("[^"]*"|[^;,]*)/gi

const preferred = (accept: string | undefined, types: string[]): string | undefined =>
  new Negotiator({ headers: { accept: accept?.replaceAll(PARAMETERS, '') } }).mediaType(types)

/** The errors name the request. Without data, the newer media type says by 400 that the operation did not run. */
function failed(result: ExecutionResult, type: string, requestId: string): TextResponse {
  const { errors = [], ...rest } = result
  const named = errors.map((error) => withRequestId(plain(error), requestId))
  const isRefused = type === RESPONSE_TYPE && result.data === undefined
  const status = isRefused ? statusOf('BAD_USER_INPUT') : 200
  const headers = {}
  for (const { extensions = {} } of named) Object.assign(headers, retryHeaders(extensions))
  return response(status, type, JSON.stringify({ errors: named, ...rest }), headers)
}

function response(
  status: number,
  type: string,
  json: string,
  headers: TextResponse['headers'] = {},
): TextResponse {
  const mediaType = type === HTML ? JSON_TYPE : type
  return {
    status,
    headers: {
      'Content-Type': `${mediaType}; charset=utf-8`,
      // The bytes of the text are counted without its end: counting both would copy the text.
      'Content-Length': Buffer.byteLength(json) + 1,
      ...headers,
    },
    text: `${json}\n`,
  }
}
