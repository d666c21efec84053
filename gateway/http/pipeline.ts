import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { AppError } from '../../formats/errors.ts'
import { failureOf } from '../../formats/failure.ts'
import type { Caller } from '../../platform/access/caller.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { Metrics } from '../observability/metrics.ts'
import { type ObservedRequest, requestObserver } from '../observability/observers.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import { codingFor, compressed } from './compression.ts'
import type { NoteSent } from './connection-bounds.ts'
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

/** All that requests share on their way. */
interface Shared extends Omit<PipelineOptions, 'destinations' | 'elsewhere'> {
  find: ReturnType<typeof createRouter>
  share: ReturnType<typeof crossOrigin> | null
  observe: ReturnType<typeof requestObserver>
  refuse: ReturnType<typeof refusals>
  /** Requests in flight that count against the limit. */
  limited: number
  isOver: boolean
}

/**
 * Steps of every request, in this order: request id, log and metrics, CORS, concurrency limit, sign-in, handler.
 * Whatever is thrown on the way becomes a response in one place.
 */
export class Pipeline {
  readonly #shared: Shared
  /** Requests that are not answered. */
  readonly #open = new Set<Exchange>()

  constructor({ destinations, elsewhere, ...options }: PipelineOptions) {
    const { corsOrigins, limits } = options
    const endpoints: Destination['endpoints'] = elsewhere ? { GET: elsewhere } : {}
    this.#shared = {
      ...options,
      find: createRouter(destinations, { path: NOWHERE, endpoints }),
      share: corsOrigins.length > 0 ? crossOrigin(corsOrigins) : null,
      observe: requestObserver(options),
      refuse: refusals(limits.connections),
      limited: 0,
      isOver: false,
    }
  }

  readonly listener: RequestListener = (message, response) => {
    const exchange = new Exchange(this.#shared, message, response)
    this.#open.add(exchange)
    response.on('close', () => {
      this.#open.delete(exchange)
      exchange.end()
    })
    exchange.begin()
  }

  get inFlight(): number {
    return this.#open.size
  }

  /** Answers what still waits, and all that comes, as the server stops now. */
  giveUp(): void {
    this.#shared.isOver = true
    for (const exchange of this.#open) exchange.stop()
  }

  /** The body of a failure of a request, where it is not the common one. */
  failureBodyOf(request: RequestLine): FailureBody | undefined {
    return bodyOfFailure(this.#shared.find(request))
  }

  /** Why its method does not answer a request. */
  notOffered(request: RequestLine): AppError {
    return notOffered(request, this.#shared.find(request).destination)
  }
}

/** One request on its way, and its response. */
class Exchange {
  readonly #request: HttpRequest
  readonly #route: MatchedRoute
  readonly #observed: ObservedRequest
  /** True while it counts against the limit. */
  #isCounted = false

  constructor(
    private readonly shared: Shared,
    private readonly message: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    const request = new HttpRequest(message)
    const route = shared.find(request)
    const { destination, endpoint } = route
    this.#request = request
    this.#route = route
    this.#observed = shared.observe(request, destination.path, endpoint?.isUnlimited ?? false)
  }

  begin(): void {
    const { shared } = this
    const { requests } = shared.limits
    const isLimited = !this.#route.endpoint?.isUnlimited
    const isTooMany = isLimited && shared.limited >= requests
    this.#isCounted = isLimited && !isTooMany
    if (this.#isCounted) shared.limited++
    shared.share?.(this.message, this.response, () => {})
    if (shared.isOver) this.stop()
    else if (isTooMany) this.#fail(tooManyRequests(requests))
    else
      this.#observed.handle(() => {
        const caller = shared.signIn.of(this.#request)
        if (caller instanceof Promise) void caller.then((known) => this.#handle(known))
        else this.#handle(caller)
      })
  }

  stop(): void {
    if (!this.response.headersSent) this.#fail(stopping())
  }

  end(): void {
    this.#leave()
    this.#observed.end(this.response.statusCode)
  }

  #leave(): void {
    if (this.#isCounted) this.shared.limited--
    this.#isCounted = false
  }

  #handle(caller: Caller): void {
    const request = this.#request
    const { endpoint, destination, params } = this.#route
    request.caller = caller
    if (caller.refusal) this.shared.metrics.signInsRefused.inc({ code: caller.refusal.code })
    try {
      const { origin, 'sec-fetch-site': site } = request.headers // only browsers send these
      if (origin !== undefined || site !== undefined)
        requireOwnPage(request, {
          origins: this.shared.corsOrigins,
          isOpen: endpoint?.isOpenToPages,
        })
      const made = endpoint
        ? endpoint.handle(request, params)
        : withoutHandler(request, destination)
      if (made instanceof Promise)
        made.then((given) => this.#answer(given)).catch((error) => this.#fail(error))
      else this.#answer(made)
    } catch (error) {
      this.#fail(error)
    }
  }

  #answer(given: HttpResponse): void {
    const { requestId, url, headers } = this.#request
    if ('express' in given) {
      this.response.setHeader('X-Request-Id', requestId)
      given.express(this.message, this.response, (error) => this.#fail(error ?? nothingAt(url)))
      return
    }
    const coding = 'text' in given ? codingFor(headers, given) : undefined
    if (coding && 'text' in given)
      compressed(given, coding)
        .then((coded) => this.#deliver(coded))
        .catch((error) => this.#fail(error))
    else this.#deliver(given)
  }

  #deliver(given: TextResponse | StreamResponse): void {
    const { response } = this
    if (response.headersSent) return // the stop has answered
    if ('text' in given && given.text !== undefined) {
      const read = this.shared.noteSent(response, given.text)
      if (read) response.once('close', read)
    }
    send(response, given, this.#request.requestId)
  }

  #fail(error: unknown): void {
    const { shared, response } = this
    const request = this.#request
    const { requestId } = request
    const { endpoint } = this.#route
    const failure = failureOf(error)
    if (isUnreported(failure)) shared.log.error({ err: error, requestId }, 'A request failed')
    // Status and headers cannot be taken back.
    if (response.headersSent) return void (response.writableEnded || response.destroy())
    const isPage = endpoint?.isForPages || isOwnScript(request)
    const answer = failureResponse(failure, {
      path: request.url,
      requestId,
      challenge: isPage ? PAGE_CHALLENGE : shared.challenge,
      body: bodyOfFailure(this.#route),
      encoded: endpoint?.failureBytes?.(failure, request.headers),
    })
    const sendIt = () => send(response, answer, requestId)
    if (shared.isOver || failure.code !== 'OVERLOADED') sendIt()
    else {
      this.#leave()
      shared.refuse(request, response, sendIt)
    }
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

/** Any rate, as the limits of senders hold in any case. */
const CONSENT = { 'WebHook-Allowed-Origin': '*', 'WebHook-Allowed-Rate': '*' }

/** Answers OPTIONS, also of the server as a whole. @throws AppError METHOD_NOT_ALLOWED, NOT_FOUND */
function withoutHandler(
  request: RequestLine & Pick<HttpRequest, 'headers'>,
  destination: Destination,
): HttpResponse {
  if (request.method !== 'OPTIONS') throw notOffered(request, destination)
  if (request.url === '*') return { status: 204, headers: {}, text: undefined }
  if (destination.path === NOWHERE) throw nothingAt(request.url)
  const headers = { Allow: allowOf(destination) }
  const isHandshake = request.headers['webhook-request-origin'] !== undefined
  if (destination.isForWebhooks && isHandshake)
    return {
      status: 200,
      headers: { ...headers, ...CONSENT, 'Content-Length': 0 },
      text: undefined,
    }
  return { status: 204, headers, text: undefined }
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
