import { RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../../formats/errors.ts'
import { networkOf } from '../../../platform/access/client-network.ts'
import { createRateLimiter, type RateLimiter } from '../../../platform/load/rate-limiter.ts'
import { KnownNetworks } from './known-networks.ts'

const WINDOW_SECONDS = 15 * 60
/** Failed sign-ins within a quarter of an hour. A network is an IPv4 address or a /64 of IPv6. */
const LIMITS = { accountFromNetwork: 10, account: 100, network: 50 }
/** No e-mail address is longer (RFC 5321, section 4.5.3.1.3); bounds what a key takes. */
const KEY_LENGTH = 254

interface Counter {
  limiter: RateLimiter
  key: string
}

/**
 * Slows down password guessing: by account, by network, and most by both. Failures of other networks never lock an
 * account out of a network that it has signed in from.
 */
export class Throttle {
  readonly #limiters = {
    accountFromNetwork: limiterOf('accountFromNetwork'),
    account: limiterOf('account'),
    network: limiterOf('network'),
  }

  constructor(private readonly known: Pick<KnownNetworks, 'has' | 'add'> = new KnownNetworks()) {}

  /** @throws AppError RATE_LIMITED where an attempt would be refused */
  async check(account: string, address: string): Promise<void> {
    for (const { limiter, key } of this.#counters(account, address)) {
      const state = await limiter.get(key)
      if (state && state.consumedPoints >= limiter.points) throw tooMany(state)
    }
  }

  /**
   * Runs an attempt that counts unless it succeeds.
   * @throws AppError RATE_LIMITED before anything is tried
   */
  async attempt<Result>(
    account: string,
    address: string,
    run: () => Promise<Result | null>,
  ): Promise<Result | null> {
    const result = await counted(this.#counters(account, address), run)
    if (result !== null) this.known.add(account, address)
    return result
  }

  /** As `attempt`, for a caller who has signed in to the account and must not guess its password with that. */
  attemptOwn<Result>(account: string, run: () => Promise<Result | null>): Promise<Result | null> {
    return counted([{ limiter: this.#limiters.accountFromNetwork, key: `own ${account}` }], run)
  }

  #counters(account: string, address: string): Counter[] {
    const pair = pairOf(account, address)
    const both = { limiter: this.#limiters.accountFromNetwork, key: pair }
    if (this.known.has(account, address)) return [both]
    return [
      both,
      { limiter: this.#limiters.account, key: account.slice(0, KEY_LENGTH) },
      { limiter: this.#limiters.network, key: networkOf(address) },
    ]
  }
}

const limiterOf = (keyPrefix: keyof typeof LIMITS) =>
  createRateLimiter({ keyPrefix, points: LIMITS[keyPrefix], duration: WINDOW_SECONDS })

const pairOf = (account: string, address: string): string =>
  `${networkOf(address)} ${account.slice(0, KEY_LENGTH)}`

async function counted<Result>(
  counters: readonly Counter[],
  run: () => Promise<Result | null>,
): Promise<Result | null> {
  const taken: Counter[] = []
  const giveBack = () => Promise.all(taken.map(({ limiter, key }) => limiter.reward(key)))
  try {
    for (const counter of counters) {
      taken.push(counter) // a refused attempt is counted, too
      await counter.limiter.consume(counter.key)
    }
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    await giveBack()
    throw tooMany(error)
  }
  const result = await run().catch(async (error) => {
    await giveBack()
    throw error
  })
  if (result !== null) await giveBack()
  return result
}

function tooMany({ msBeforeNext }: RateLimiterRes): AppError {
  const seconds = Math.ceil(msBeforeNext / 1_000)
  return new AppError('RATE_LIMITED', `Too many failed sign-ins; try again in ${seconds} seconds`, {
    retryAfterSeconds: seconds,
  })
}
