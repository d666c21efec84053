import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleAll,
  handleWhen,
  retry,
} from 'cockatiel'
import type { ExecutionResult } from 'graphql'
import { Pool } from 'undici'
import type { JsonReader } from '../json-reader.ts'
import { Answer } from './answer.ts'
import { bodyOf, type PlannedRequest } from './link.ts'

export interface RemoteHttp {
  /** @throws Error when no answer comes: refused, silent, or known to be down; Unanswered for a mutation that was sent */
  post(request: PlannedRequest, headers: Record<string, string>): Promise<ExecutionResult>
  /** Whether a server answers that is not broken itself, whatever it says. */
  isUp(headers: Record<string, string>): Promise<boolean>
  stop(): Promise<void>
}

/** For queries, which answer soon: more at a time only queue in the subgraph instead of here. */
const QUERY_CONNECTIONS = 64
const CONNECT_TIMEOUT_MS = 2_000
/** A query with all its attempts. */
const QUERY_TIMEOUT_MS = 30_000
const RETRIES = { maxAttempts: 2, backoff: new ExponentialBackoff({ initialDelay: 100 }) }
/** So many requests in a row without an answer, and the subgraph is left alone for a moment. */
const FAILURES_IN_A_ROW = 5
const RECOVERY_MS = 1_000

/** How long one that asks whether a subgraph is up waits for it. */
const PROBE_MS = 1_500

/** What ends a request to a subgraph that says nothing: undici's limits, and our own. */
const TIMEOUTS: ReadonlySet<unknown> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'])

/** Whether a subgraph took the request and let its time pass. */
export const isTimeout = (error: unknown): boolean =>
  error instanceof TooLate ||
  (error instanceof Error &&
    (TIMEOUTS.has('code' in error && error.code) || isTimeout(error.cause)))

class TooLate extends Error {
  override message = `The subgraph did not answer within ${QUERY_TIMEOUT_MS / 1_000} seconds`
}

/** The subgraph may have done what it was asked to. */
export class Unanswered extends Error {
  override name = 'Unanswered'
}

const isWorthARetry = (error: Error) => !(error instanceof TooLate)

/**
 * Posts operations to a subgraph. A mutation may last as long as an execution, so mutations have connections of
 * their own, without a limit, and no query waits behind one. Silence ends a mutation, not time.
 */
export function remoteHttp(
  url: string,
  silenceMs: number,
  { parse }: Pick<JsonReader, 'parse'>,
): RemoteHttp {
  const { origin, pathname, search } = new URL(url)
  const path = pathname + search
  const poolOf = (connections: number | null) =>
    new Pool(origin, {
      connections,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    })
  const pools = { query: poolOf(QUERY_CONNECTIONS), mutation: poolOf(null) }
  const breaker = circuitBreaker(handleAll, {
    breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW),
    halfOpenAfter: RECOVERY_MS,
  })
  const retrying = retry(handleWhen(isWorthARetry), RETRIES)

  const resultOf = async ({ whole }: Answer): Promise<ExecutionResult> => {
    const result = parse(await whole) as ExecutionResult
    if (typeof result !== 'object' || result === null)
      throw new Error('The answer is no GraphQL response')
    return result
  }

  /** @param ms how long an answer may take in all */
  const attempt = async <Result>(
    request: PlannedRequest,
    headers: Record<string, string>,
    read: (answer: Answer) => Promise<Result>,
    ms?: number,
  ): Promise<Result> => {
    // One request finds out whether the subgraph is back; no other waits for what it finds.
    if (breaker.state === CircuitState.HalfOpen) throw new Error('The subgraph was just down')
    const answer = new Answer()
    const timer = ms === undefined ? undefined : setTimeout(() => answer.giveUp(new TooLate()), ms)
    try {
      await breaker.execute(() => {
        const pool = pools[request.kind === 'query' ? 'query' : 'mutation']
        pool.dispatch({ method: 'POST', path, headers, body: bodyOf(request) }, answer)
        return answer.begun
      })
      return await read(answer)
    } catch (cause) {
      const isSent = request.kind === 'mutation' && answer.wasSent
      throw isSent ? new Unanswered('The answer was lost', { cause }) : cause
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    post(request, headers) {
      if (request.kind !== 'query') return attempt(request, headers, resultOf)
      const end = performance.now() + QUERY_TIMEOUT_MS
      return retrying.execute(({ attempt: before }) =>
        attempt(
          request,
          headers,
          resultOf,
          before === 0 ? QUERY_TIMEOUT_MS : end - performance.now(),
        ),
      )
    },
    isUp: (headers) =>
      attempt(PROBE, headers, statusOf, PROBE_MS).then(
        (status) => status < 500,
        () => false,
      ),
    async stop() {
      await Promise.all([pools.query.destroy(), pools.mutation.destroy()])
    },
  }
}

/** Looks at the status alone; a body that does not end is given up. */
async function statusOf(answer: Answer): Promise<number> {
  await answer.whole.catch(() => {})
  return answer.status
}

const PROBE: PlannedRequest = { kind: 'query', document: '{ __typename }', variables: {} }
