import { setTimeout as delay } from 'node:timers/promises'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from 'cockatiel'
import { noteCharacters } from '../../../formats/json/json.ts'
import type { JsonReader } from '../json-reader.ts'
import { Silence } from './http/connection.ts'
import { Connections } from './http/connections.ts'
import type { Exchange } from './http/exchange.ts'
import { BodyTooLong } from './http/response-reader.ts'
import {
  bodyOf,
  type LinkOptions,
  type LinkResult,
  type PlannedRequest,
  type ResponseHeaders,
} from './link.ts'
import { RetryBudget } from './retry-budget.ts'

/** Queries answer soon: more than 64 at a time only queue in the subgraph instead of here. */
const MAX_QUERIES = 64
/** A query with all its attempts. */
const QUERY_TIMEOUT_MS = 30_000
const RETRIES = 2
const RETRY_MS = 100
/** The longest `Retry-After` that is waited for; beyond it, the client decides. */
const MAX_RETRY_AFTER_SECONDS = 5
/** Requests in a row without an answer after which the subgraph is left alone until a probe is answered. */
const FAILURES_IN_A_ROW = 5
/** Pause between a failed probe and the next, and time that a request waits for one. */
const PROBE_PAUSE_MS = 100

/** Time limit of a probe. */
const PROBE_MS = 1_500

/** True if a subgraph took the request and let its time pass. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof TooLate ||
  error instanceof Silence ||
  (error instanceof Error && isTimeout(error.cause))

class TooLate extends Error {
  constructor(ms: number) {
    super(`The subgraph did not answer within ${ms / 1_000} seconds`)
  }
}

/** The subgraph may have done what it was asked to. */
export class Unanswered extends Error {
  override name = 'Unanswered'
}

/** The subgraph answered, but with no GraphQL response. */
export class HttpFailure extends Error {
  override name = 'HttpFailure'

  constructor(
    readonly status: number,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(`The answer has the HTTP status ${status} and is no GraphQL response`)
  }
}

/** Its status is one of success, its body no GraphQL response. */
export class Malformed extends Error {
  override name = 'Malformed'
}

/** Nothing was sent: the subgraph did not answer before. */
export class LeftAlone extends Error {
  override name = 'LeftAlone'
}

/** True for failures that pass by themselves: a lost connection, and a subgraph that names a time to come back. */
function isWorthARetry(error: Error): boolean {
  if (error instanceof HttpFailure)
    return BUSY.has(error.status) && (error.retryAfterSeconds ?? 0) <= MAX_RETRY_AFTER_SECONDS
  return ![TooLate, Malformed, LeftAlone, Unanswered, BodyTooLong].some(
    (kind) => error instanceof kind,
  )
}

const BUSY: ReadonlySet<number> = new Set([429, 503])

/** Half of it by chance, so that clients that failed together do not return together. */
const pauseMs = (error: unknown, attempt: number): number => {
  const given = error instanceof HttpFailure ? error.retryAfterSeconds : undefined
  return given ? given * 1_000 : RETRY_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
}

export interface RemoteHttpOptions
  extends Omit<LinkOptions, 'url' | 'silenceMs' | 'subscriptions'> {
  url: string
  /** Time for which a subgraph may stay silent on a request. */
  silenceMs: number
  /** Bytes of the body of a response. */
  maxBody: number
  json: Pick<JsonReader, 'parse'>
  responseHeaders?: ResponseHeaders | undefined
}

/**
 * Posts operations to a subgraph. A mutation may last as long as an execution, so mutations have connections of
 * their own, without a limit, and no query waits behind one. Silence ends a mutation, not time. What fails is sent
 * again within a budget; a mutation only where it never left.
 */
export class RemoteHttp {
  private readonly mutations: Connections
  private readonly queries: Connections
  private readonly breaker: CircuitBreakerPolicy
  private readonly budget = new RetryBudget()
  private readonly timeoutMs: number
  private readonly retries: number
  private readonly probePauseMs: number
  private probe: Promise<boolean> | undefined

  constructor(private readonly options: RemoteHttpOptions) {
    const { url, silenceMs, maxBody, tls, responseHeaders, connections = MAX_QUERIES } = options
    this.timeoutMs = options.timeoutMs ?? QUERY_TIMEOUT_MS
    this.retries = options.retries ?? RETRIES
    this.probePauseMs = options.probePauseMs ?? PROBE_PAUSE_MS
    const to = { url: new URL(url), silenceMs, maxBody, tls, isWanted: responseHeaders?.isWanted }
    this.mutations = new Connections({ ...to, most: Number.POSITIVE_INFINITY })
    this.queries = new Connections({ ...to, most: connections })
    const answers = handleWhen((error) => !(error instanceof BodyTooLong))
    this.breaker = circuitBreaker(answers, {
      breaker: new ConsecutiveBreaker(options.failuresInARow ?? FAILURES_IN_A_ROW),
      halfOpenAfter: this.probePauseMs,
    })
  }

  /** @throws Error when no answer comes: refused, silent, or known to be down; Unanswered for a mutation that was sent */
  async post(request: PlannedRequest, headers: Record<string, string>): Promise<LinkResult> {
    this.budget.requested()
    const end = performance.now() + this.timeoutMs
    for (let before = 0; ; before++) {
      const ms = request.kind === 'query' ? end - performance.now() : undefined
      try {
        return await this.attempt(request, headers, (answered) => this.resultOf(answered), ms)
      } catch (error) {
        const pause = pauseMs(error, before + 1)
        const isInTime = performance.now() + pause < end
        if (before === this.retries || !isInTime || !isWorthARetry(error as Error)) throw error
        if (!this.budget.take()) throw error
        await delay(pause)
      }
    }
  }

  /** Resolves with true if a server answers that is not broken itself, whatever the status. */
  isUp(headers: Record<string, string>): Promise<boolean> {
    return this.attempt(PROBE, headers, ({ status }) => status < 500, PROBE_MS).catch(() => false)
  }

  stop(): void {
    this.queries.stop()
    this.mutations.stop()
  }

  /** @param ms how long an answer may take in all; without it, as long as it likes */
  private async attempt<Result>(
    request: PlannedRequest,
    headers: Record<string, string>,
    read: (answered: Exchange) => Result,
    ms?: number,
  ): Promise<Result> {
    const { breaker } = this
    if (request !== PROBE && breaker.state !== CircuitState.Closed && !(await this.isBack(headers)))
      throw new LeftAlone('The subgraph is down')
    const isRepeatable = request.kind === 'query' && request !== PROBE
    const connections = isRepeatable ? this.queries : this.mutations
    const exchange = connections.exchangeOf(headers, bodyOf(request), { isRepeatable })
    const timer = ms && setTimeout(() => exchange.giveUp(new TooLate(this.timeoutMs)), ms)
    try {
      await breaker.execute(() => {
        connections.send(exchange)
        return exchange.begun
      })
      // Only the status of a probe counts.
      await (request === PROBE ? exchange.whole.catch(() => {}) : exchange.whole)
      return read(exchange)
    } catch (cause) {
      if (cause instanceof BrokenCircuitError) throw new LeftAlone('The subgraph is down')
      const isSent = request.kind === 'mutation' && exchange.wasSent
      throw isSent ? new Unanswered('The answer was lost', { cause }) : cause
    } finally {
      clearTimeout(timer)
    }
  }

  /** Only probes find out: the request of a client may take long, and all others would wait for it. */
  private isBack(headers: Record<string, string>): Promise<boolean> {
    this.probe ??= this.isUp(headers).finally(() => {
      this.probe = undefined
    })
    return Promise.race([this.probe, delay(this.probePauseMs, false, { ref: false })])
  }

  private resultOf({ status, retryAfterSeconds, body, headers }: Exchange): LinkResult {
    const { responseHeaders } = this.options
    const result = this.parsed(body)
    const isResponse = typeof result === 'object' && result !== null
    if (isResponse) noteCharacters(result.data, body.length)
    if (isResponse && (status < 300 || 'errors' in result || 'data' in result))
      return responseHeaders ? { ...result, headers: responseHeaders.pick(headers) } : result
    if (status >= 300) throw new HttpFailure(status, retryAfterSeconds)
    throw new Malformed('The answer is no GraphQL response')
  }

  private parsed(text: string): LinkResult | undefined {
    try {
      return this.options.json.parse(text) as LinkResult // what it holds is judged where it is used
    } catch {
      return undefined
    }
  }
}

const PROBE: PlannedRequest = { kind: 'query', document: '{ __typename }', variables: {} }
