import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../schema/errors.ts'

const WINDOW_SECONDS = 60

/** What a sender has left, as headers of its answers. */
export type RateHeaders = Record<string, string>

/** Counts events per sender in windows of a minute, in this process. A sender is a user, or an address where nobody signed in. */
export class RateLimit {
  readonly #limit: number
  readonly #limiter: RateLimiterMemory

  /** @param perMinute events of one sender */
  constructor(perMinute: number) {
    this.#limit = perMinute
    this.#limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS })
  }

  /** Before a body is read: whether anything at all would be accepted. @throws RateLimited */
  async assertAny(sender: string): Promise<void> {
    const state = await this.#limiter.get(sender)
    if (state && state.consumedPoints >= this.#limit) throw this.#refusal(state)
  }

  /** All of the events or none. @throws RateLimited */
  async take(sender: string, events: number): Promise<RateHeaders> {
    try {
      return this.#headers(await this.#limiter.consume(sender, events))
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state
      // What was refused does not count.
      throw this.#refusal(await this.#limiter.reward(sender, events))
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
    return new RateLimited(this.#limit, this.#headers(state), seconds(state.msBeforeNext))
  }
}

/** More events than a sender may send. */
export class RateLimited extends AppError {
  constructor(
    limit: number,
    readonly headers: RateHeaders,
    retryAfterSeconds: number,
  ) {
    super(
      'RATE_LIMITED',
      `You may send ${limit} events in a minute (EVENTS_PER_MINUTE): send these after Retry-After seconds`,
      { retryAfterSeconds },
    )
  }
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))
