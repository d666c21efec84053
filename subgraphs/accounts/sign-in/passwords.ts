import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../../formats/errors.ts'
import { LOAD_LIMITS } from '../../../platform/load/limits.ts'
import { Limit } from '../../../platform/load/load.ts'

/** argon2id with what OWASP's Password Storage Cheat Sheet asks for at least. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const LENGTH = { least: 12, most: 256 }
/** Passwords that matched, so that the next check of the same one costs no hash. */
const MATCHED_MAX = 10_000

/** Loaded by the first who needs it. */
const argon2 = () => import('@node-rs/argon2')

/** Hashes passwords and compares them. Neither its time nor its message reveals whether an account exists. */
export class Passwords {
  /** More at a time would only add latency. */
  readonly #hashes = new Limit(LOAD_LIMITS.passwords.most, tooManySignIns)
  readonly #key = randomBytes(32)
  /** HMACs with a key of this process. Each is of the stored hash as well, so another password ends it. */
  readonly #matched = new LRUCache<string, true>({ max: MATCHED_MAX })
  #decoy: Promise<string> | undefined

  /** @throws AppError BAD_USER_INPUT for a password that is too short or too long, OVERLOADED */
  hash(password: string): Promise<string> {
    const { least, most } = LENGTH
    if (password.length < least || password.length > most)
      throw new AppError('BAD_USER_INPUT', `password: expected ${least} to ${most} characters`)
    return this.#hashes.run(async () => (await argon2()).hash(password, COST))
  }

  /**
   * Takes as long for an account that does not exist.
   * @param stored undefined where there is no such account
   * @throws AppError OVERLOADED
   */
  matches(stored: string | undefined, password: string): Promise<boolean> {
    if (password.length > LENGTH.most) return Promise.resolve(false)
    const known = this.#known(stored ?? '', password)
    if (stored !== undefined && this.#matched.get(known)) return Promise.resolve(true)
    return this.#hashes.run(async () => {
      const { hash, verify } = await argon2()
      this.#decoy ??= hash('the password of no account', COST)
      const matches = await verify(stored ?? (await this.#decoy), password)
      if (!matches || stored === undefined) return false
      this.#matched.set(known, true)
      return true
    })
  }

  #known(stored: string, password: string): string {
    return createHmac('sha256', this.#key).update(`${stored}\0${password}`).digest('base64')
  }
}

const tooManySignIns = () => new AppError('OVERLOADED', 'Too many sign in at the moment; try again')
