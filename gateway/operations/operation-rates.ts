import { AppError } from '../../formats/errors.ts'
import { type Caller, ownerOf } from '../../platform/access/caller.ts'
import { createRateLimiter } from '../../platform/load/rate-limiter.ts'
import type { Variables } from '../../platform/settings/variables.ts'

/** The environment variables that bound what one user may run in a minute. */
export const OPERATION_RATES = ['OPERATIONS_PER_MINUTE', 'OPERATION_COST_PER_MINUTE'] as const

export type OperationRate = (typeof OPERATION_RATES)[number]

export type RateSettings = Readonly<Partial<Pick<Variables, OperationRate>>>

const ALLOWED: Readonly<Record<OperationRate, (points: number) => string>> = {
  OPERATIONS_PER_MINUTE: (points) => `${points} operations`,
  OPERATION_COST_PER_MINUTE: (points) => `operations of cost ${points}`,
}

const WINDOW_SECONDS = 60

/** Counts operations and their cost, by user or by address without a sign-in, in windows of a minute. */
export class OperationRates {
  readonly #rates
  readonly #onRefusal

  private constructor(settings: RateSettings, onRefusal: (rate: OperationRate) => void) {
    this.#onRefusal = onRefusal
    this.#rates = OPERATION_RATES.flatMap((name) => {
      const points = settings[name]
      if (points === undefined) return []
      const limiter = createRateLimiter({ keyPrefix: name, points, duration: WINDOW_SECONDS })
      return [{ name, points, limiter }]
    })
  }

  /** @returns undefined where no rate is set, so that nothing is asked for each operation */
  static of(
    settings: RateSettings,
    onRefusal: (rate: OperationRate) => void,
  ): OperationRates | undefined {
    const isSet = OPERATION_RATES.some((name) => settings[name] !== undefined)
    return isSet ? new OperationRates(settings, onRefusal) : undefined
  }

  /** @throws AppError RATE_LIMITED for a caller who has used up a minute; the operation that does so still runs */
  async require(caller: Caller): Promise<void> {
    const owner = ownerOf(caller) ?? ''
    for (const { name, points, limiter } of this.#rates) {
      const state = await limiter.get(owner)
      if (!state || state.consumedPoints < points) continue
      this.#onRefusal(name)
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1_000))
      throw new AppError(
        'RATE_LIMITED',
        `You may run ${ALLOWED[name](points)} in a minute (${name}): try again in ${seconds} s`,
        { retryAfterSeconds: seconds },
      )
    }
  }

  count(caller: Caller, cost: number): void {
    const owner = ownerOf(caller) ?? ''
    // Between processes a count may be lost, and no operation fails for it.
    for (const { name, limiter } of this.#rates)
      limiter.penalty(owner, name === 'OPERATIONS_PER_MINUTE' ? 1 : cost).catch(() => {})
  }
}
