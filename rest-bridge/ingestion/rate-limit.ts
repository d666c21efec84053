import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../schema/errors.ts'

const WINDOW_SECONDS = 60

/** What a token has left, as headers of its answers. */
export type RateHeaders = Record<string, string>

/** Counts events per token in windows of a minute, in this process. */
export class RateLimit {
  readonly #limit: number
  readonly #limiter: RateLimiterMemory

  /** @param perMinute events of one token */
  constructor(perMinute: number) {
    this.#limit = perMinute
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS })
  }

  /** Before a body is read: whether anything at all would be accepted. @throws RateLimited */
  async assertAny(request: IncomingMessage): Promise<void> {
    const state = await this.#limiter.get(tokenOf(request))
    if (state && state.consumedPoints >= this.#limit) throw this.#refusal(state)
  }

  /** All of the events or none. @throws RateLimited */
  async take(request: IncomingMessage, events: number): Promise<RateHeaders> {
    const token = tokenOf(request)
    try {
      return this.#headers(await this.#limiter.consume(token, events))
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state
      // What was refused does not count.
      throw this.#refusal(await this.#limiter.reward(token, events))
    }
  }

  #headers({ consumedPoints, msBeforeNext }: RateLimiterRes): RateHeaders {
    return {
      'RateLimit-Limit': String(this.#limit),
      'RateLimit-Remaining': String(Math.max(0, this.#limit - consumedPoints)),
      'RateLimit-Reset': String(seconds(msBeforeNext)),
    }
  }

  #refusal(state: RateLimiterRes): RateLimited {
    const headers = this.#headers(state)
    return new RateLimited(this.#limit, {
      ...headers,
      'Retry-After': String(seconds(state.msBeforeNext)),
    })
  }
}

/** More events than a token may send. */
export class RateLimited extends AppError {
  constructor(
    limit: number,
    readonly headers: RateHeaders,
  ) {
    super(
      'RATE_LIMITED',
      `A token may send ${limit} events in a minute (EVENTS_PER_MINUTE): send these after Retry-After seconds`,
    )
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))

/** Whoever shows no token is known by the address. Tokens are not kept, only their digests. */
function tokenOf({ headers, socket }: IncomingMessage): string {
  const token = headers.token ?? headers.authorization
  return token === undefined ? (socket.remoteAddress ?? '') : hash('sha256', String(token))
}
