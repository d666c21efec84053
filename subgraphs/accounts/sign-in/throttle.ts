import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../../schema/errors.ts'

const WINDOW_SECONDS = 15 * 60
/** Failed sign-ins within a quarter of an hour. An address alone cannot lock the owner out who comes from another one. */
const LIMITS = { accountFromAddress: 10, account: 100, address: 50 }

/** Slows down whoever guesses passwords: by account, by address, and most by both. */
export class Throttle {
  readonly #limiters = Object.entries(LIMITS).map(([keyPrefix, points]) => ({
    keyPrefix,
    limiter: new RateLimiterMemory({ keyPrefix, points, duration: WINDOW_SECONDS }),
  }))

  /**
   * Runs an attempt that counts unless it succeeds.
   * @throws AppError RATE_LIMITED before anything is tried
   */
  async attempt<Result>(
    account: string,
    address: string,
    run: () => Promise<Result | null>,
  ): Promise<Result | null> {
    const counted: (() => Promise<unknown>)[] = []
    try {
      for (const { keyPrefix, limiter } of this.#limiters) {
        const key = KEYS[keyPrefix]?.(account, address) ?? address
        counted.push(() => limiter.reward(key)) // what is refused was counted, too
        await limiter.consume(key)
      }
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      await Promise.all(counted.map((undo) => undo()))
      throw tooMany(Math.ceil(error.msBeforeNext / 1_000))
    }
    const result = await run().catch(async (error) => {
      await Promise.all(counted.map((undo) => undo()))
      throw error
    })
    if (result !== null) await Promise.all(counted.map((undo) => undo()))
    return result
  }
}

const KEYS: Readonly<Record<string, (account: string, address: string) => string>> = {
  accountFromAddress: (account, address) => `${address} ${account}`,
  account: (account) => account,
  address: (_, address) => address,
}

const tooMany = (seconds: number) =>
  new AppError('RATE_LIMITED', `Too many failed sign-ins; try again in ${seconds} seconds`, {
    retryAfterSeconds: seconds,
  })
