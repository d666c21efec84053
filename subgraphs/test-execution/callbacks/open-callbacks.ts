import { RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { networkOf } from '../../../platform/access/client-network.ts'
import { createRateLimiter, type RateLimiter } from '../../../platform/load/rate-limiter.ts'

const WINDOW_SECONDS = 60

/** Callbacks of callers without a sign-in, who could else have this server knock at others' doors as often as they like. */
export class OpenCallbacks {
  readonly #limiter: RateLimiter

  /** @param perMinute OPEN_CALLBACKS_PER_MINUTE, of one network */
  constructor(private readonly perMinute = 20) {
    const options = { keyPrefix: 'openCallbacks', points: perMinute, duration: WINDOW_SECONDS }
    this.#limiter = createRateLimiter(options)
  }

  /** @throws AppError RATE_LIMITED */
  async take({ address = '' }: Pick<Caller, 'address'>): Promise<void> {
    try {
      await this.#limiter.consume(networkOf(address))
    } catch (state) {
      if (!(state instanceof RateLimiterRes)) throw state
      throw new AppError(
        'RATE_LIMITED',
        `callbackUrl: without a sign-in ${this.perMinute} executions in a minute may name one (OPEN_CALLBACKS_PER_MINUTE); sign in, leave it out, or wait`,
        { retryAfterSeconds: Math.max(1, Math.ceil(state.msBeforeNext / 1_000)) },
      )
    }
  }
}
