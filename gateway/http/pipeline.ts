import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { AppError } from '../../formats/errors.ts'
import { failureOf } from '../../formats/failure.ts'
import type { Caller } from '../../platform/access/caller.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { Metrics } from '../observability/metrics.ts'
import { requestObserver } from '../observability/observers.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { codingFor, compressed } from './compression.ts'
import { failureResponse, HttpFailure, isUnreported, nothingAt, stopping } from './failures.ts'
import { refusals } from './held-back.ts'
import type { HttpLimits } from './http-limits.ts'
import {
  HttpRequest,
  type HttpResponse,
  type StreamResponse,
  send,
  type TextResponse,
} from './http-message.ts'
import { crossOrigin, isOwnScript, requireOwnPage } from './origins.ts'
import {
  allowOf,
  createRouter,
  type Destination,
  type Endpoint,
  type FailureBody,
  type MatchedRoute,
  type RequestLine,
} from './router.ts'
import type { NoteSent } from './unread-responses.ts'

export interface PipelineOptions {
  destinations: readonly Destination[]
  /** Answers reads of all other paths. */
  elsewhere?: Endpoint | undefined
  signIn: Pick<SignIn, 'of'>
  /** Way to sign in, for `WWW-Authenticate`. */
  challenge: string
  /** Origins whose pages may call from a browser; `*` stands for all. */
  corsOrigins: readonly string[]
  limits: Pick<HttpLimits, 'requests' | 'connections'>
  metrics: Pick<Metrics, 'requests' | 'signInsRefused' | 'countClient'>
  noteSent: NoteSent
  /** ACCESS_LOG */
  accessLog: number
  log: Logger
}

export interface Pipeline {
  listener: RequestListener
  inFlight(): number
  /** Answers what still waits, and all that comes, as the server stops now. */
  giveUp(): void
  /** The body of a failure of a request, where it is not the common one. */
  failureBodyOf(request: RequestLine): FailureBody | undefined
  /** Why its method does not answer a request. */
  notOffered(request: RequestLine): AppError
}

/**
 * Steps of every request, in this order: request id, log and metrics, CORS, concurrency limit, sign-in, handler.
 * Whatever is thrown on the way becomes a response in one place.
 */
export function createPipeline({
  destinations,
  elsewhere,
  signIn,
  challenge,
  corsOrigins,
  limits,
  metrics,
  noteSent,
  accessLog,
  log,
}: PipelineOptions): Pipeline {
  const find = createRouter(destinations, {
    path: NOWHERE,
    endpoints: elsewhere ? { GET: elsewhere } : {},
  })
  const share = corsOrigins.length > 0 ? crossOrigin(corsOrigins) : null
  const observe = requestObserver({ metrics, log, accessLog })
  const refuse = refusals(limits.connections)
  let inFlight = 0
  /** As many of them as count against the limit. */
  let limited = 0
  /** Functions that end each request that is not answered. */
  const waiting = new Set<() => void>()
  let isOver = false

  function listener(message: IncomingMessage, response: ServerResponse): void {
    const request = new HttpRequest(message)
    const { requestId } = request
    const { destination, endpoint, params } = find(request)
    const isLimited = !endpoint?.isUnlimited
    const isTooMany = isLimited && limited >= limits.requests
    let isCounted = isLimited && !isTooMany
    const observed = observe(request, destination.path, !isLimited)
    inFlight++
    if (isCounted) limited++
    const leave = () => {
      if (isCounted) limited--
      isCounted = false
    }
    const stop = () => {
      if (!response.headersSent) fail(stopping())
    }
    waiting.add(stop)
    response.on('close', () => {
      inFlight--
      waiting.delete(stop)
      leave()
      observed.end(response.statusCode)
    })

    const fail = (error: unknown) => {
      const failure = failureOf(error)
      if (isUnreported(failure)) log.error({ err: error, requestId }, 'A request failed')
      // Status and headers cannot be taken back.
      if (response.headersSent) return void (response.writableEnded || response.destroy())
      const isPage = endpoint?.isForPages || isOwnScript(request)
      const how = isPage ? PAGE_CHALLENGE : challenge
      const answer = failureResponse(failure, {
        path: request.url,
        requestId,
        challenge: how,
        body: bodyOfFailure({ destination, endpoint }),
        encoded: endpoint?.failureBytes?.(failure, request.headers),
      })
      if (isOver || failure.code !== 'OVERLOADED') return send(response, answer, requestId)
      leave()
      refuse(request, response, () => send(response, answer, requestId))
    }

    const answer = (given: HttpResponse) => {
      if ('express' in given) {
        response.setHeader('X-Request-Id', requestId)
        given.express(message, response, (error) => fail(error ?? nothingAt(request.url)))
        return
      }
      const coding = 'text' in given ? codingFor(request.headers, given) : undefined
      if (coding && 'text' in given) compressed(given, coding).then(deliver).catch(fail)
      else deliver(given)
    }

    const deliver = (given: TextResponse | StreamResponse) => {
      if (response.headersSent) return // the stop has answered
      if ('text' in given && given.text !== undefined) {
        const read = noteSent(response, given.text)
        if (read) response.once('close', read)
      }
      send(response, given, requestId)
    }

    const handle = () => {
      try {
        const { origin, 'sec-fetch-site': site } = request.headers // only browsers send these
        if (origin !== undefined || site !== undefined)
          requireOwnPage(request, { origins: corsOrigins, isOpen: endpoint?.isOpenToPages })
        const made = endpoint
          ? endpoint.handle(request, params)
          : withoutHandler(request, destination)
        if (made instanceof Promise) made.then(answer).catch(fail)
        else answer(made)
      } catch (error) {
        fail(error)
      }
    }

    share?.(message, response, () => {})
    if (isOver) {
      stop()
      return
    }
    if (isTooMany) {
      fail(tooManyRequests(limits.requests))
      return
    }
    const known = (caller: Caller) => {
      request.caller = caller
      if (caller.refusal) metrics.signInsRefused.inc({ code: caller.refusal.code })
      handle()
    }
    observed.handle(() => {
      const caller = signIn.of(request)
      if (caller instanceof Promise) void caller.then(known)
      else known(caller)
    })
  }

  return {
    listener,
    inFlight: () => inFlight,
    giveUp() {
      isOver = true
      for (const stop of waiting) stop()
    },
    failureBodyOf: (request) => bodyOfFailure(find(request)),
    notOffered: (request) => notOffered(request, find(request).destination),
  }
}

const bodyOfFailure = ({
  destination,
  endpoint,
}: Pick<MatchedRoute, 'destination' | 'endpoint'>): FailureBody | undefined =>
  endpoint?.failureBody ?? destination.failureBody

/** The path of the destination of all other paths. */
const NOWHERE = 'other'

/** A scheme that browsers do not know: with Basic they cover the page with a window of their own. */
const PAGE_CHALLENGE = 'Session realm="Assay"'

/** Answers OPTIONS, also of the server as a whole. @throws AppError METHOD_NOT_ALLOWED, NOT_FOUND */
function withoutHandler(request: RequestLine, destination: Destination): HttpResponse {
  if (request.method !== 'OPTIONS') throw notOffered(request, destination)
  if (request.url === '*') return { status: 204, headers: {}, text: undefined }
  if (destination.path === NOWHERE) throw nothingAt(request.url)
  return { status: 204, headers: { Allow: allowOf(destination) }, text: undefined }
}

function notOffered({ method, url }: RequestLine, destination: Destination): AppError {
  if (destination.path === NOWHERE) return nothingAt(url)
  const Allow = allowOf(destination)
  const message = `${method} is not offered here; use ${Allow}`
  return new HttpFailure('METHOD_NOT_ALLOWED', message, { Allow })
}

const tooManyRequests = (max: number) =>
  new AppError(
    'OVERLOADED',
    `Too many requests are in flight (HTTP_MAX_REQUESTS is ${max}): try again later`,
  )
