import { AppError } from '../../../schema/errors.ts'

/** argon2id with what OWASP's Password Storage Cheat Sheet asks for at least. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const LENGTH = { least: 12, most: 256 }
/** Hashes that may wait for their turn; more would only keep everybody waiting. */
const QUEUE = 64

/** Loaded by the first who needs it. */
const argon2 = () => import('@node-rs/argon2')

/** Hashes passwords and compares them. Neither tells, in time or words, what is known of an account. */
export class Passwords {
  #waiting = 0
  #nobody: Promise<string> | undefined

  /** @throws AppError BAD_USER_INPUT for a password that is too short or too long, OVERLOADED */
  hash(password: string): Promise<string> {
    const { least, most } = LENGTH
    if (password.length < least || password.length > most)
      throw new AppError('BAD_USER_INPUT', `password: expected ${least} to ${most} characters`)
    return this.#queued(async () => (await argon2()).hash(password, COST))
  }

  /**
   * Takes as long for an account that does not exist.
   * @param stored undefined where there is no such account
   * @throws AppError OVERLOADED
   */
  matches(stored: string | undefined, password: string): Promise<boolean> {
    if (password.length > LENGTH.most) return Promise.resolve(false)
    return this.#queued(async () => {
      const { hash, verify } = await argon2()
      this.#nobody ??= hash('the password of nobody', COST)
      const matches = await verify(stored ?? (await this.#nobody), password)
      return matches && stored !== undefined
    })
  }

  async #queued<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= QUEUE)
      throw new AppError('OVERLOADED', 'Too many sign in at the moment; try again')
    this.#waiting++
    try {
      return await work()
    } finally {
      this.#waiting--
    }
  }
}
