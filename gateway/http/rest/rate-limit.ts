import { RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../../formats/errors.ts'
import { createRateLimiter, type RateLimiter } from '../../../platform/load/rate-limiter.ts'
import { HttpFailure } from '../failures.ts'

const WINDOW_SECONDS = 60

/** Rest of a sender's rate, as headers of its responses. */
export type RateHeaders = Record<string, string>

/** Counts events per sender in windows of a minute. A sender is a user, or the address of a caller without a sign-in. */
export class RateLimit {
  readonly #limit: number
  readonly #limiter: RateLimiter

  /** @param name of what is counted @param perMinute events of one sender */
  constructor(name: string, perMinute: number) {
    this.#limit = perMinute
    this.#limiter = createRateLimiter({
      keyPrefix: name,
      points: perMinute,
      duration: WINDOW_SECONDS,
    })
  }

  /** Before a body is read: whether anything at all would be accepted. @throws HttpFailure RATE_LIMITED */
  async assertAny(sender: string): Promise<void> {
    const state = await this.#limiter.get(sender)
    if (state && state.consumedPoints >= this.#limit) throw this.#refusal(state)
  }

  /** All of the events or none. @throws HttpFailure RATE_LIMITED, AppError PAYLOAD_TOO_LARGE for more than any minute takes */
  async take(sender: string, events: number): Promise<RateHeaders> {
    if (events > this.#limit) throw neverFits(this.#limit)
    try {
      return this.#headers(await this.#limiter.consume(sender, events))
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state
      // A refused request does not count.
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

  #refusal(state: RateLimiterRes): HttpFailure {
    return new HttpFailure(
      'RATE_LIMITED',
      `You may send ${this.#limit} events in a minute (EVENTS_PER_MINUTE): send these after Retry-After seconds`,
      this.#headers(state),
      { retryAfterSeconds: seconds(state.msBeforeNext) },
    )
  }
}

/** To send the same call again later would never help. */
const neverFits = (limit: number) =>
  new AppError(
    'PAYLOAD_TOO_LARGE',
    `You may send ${limit} events in a minute (EVENTS_PER_MINUTE): send fewer events at a time`,
  )

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))
