import { AppError } from '../../formats/errors.ts'
import { type Caller, userKeyOf } from '../access/caller.ts'

/** Makes a request safe to repeat: a second one of the same account under the same key is answered like the first. */
export interface IdempotencyKey {
  /** The signed-in user, or an empty text. */
  account: string
  /** As the version before knew the same user: keys that it took hold on. */
  formerAccount?: string | undefined
  key: string
  /** Says whether a repetition is the same request. */
  digest: string
}

/** True if two digests are of one call. One of its parts says which behind a blank: `<digest of the call> <part>`. */
export const isOfOneCall = (one: string, other: string): boolean =>
  one.split(' ', 1)[0] === other.split(' ', 1)[0]

/** Lifetime of an idempotency key. */
export const KEY_LIFETIME_MS = 24 * 3_600_000

const KEY = /^[\x20-\x7e]{1,255}$/

/** @throws AppError BAD_USER_INPUT */
export function readIdempotencyKey(
  key: string,
  caller: Pick<Caller, 'user' | 'subject'>,
  digest: string,
): IdempotencyKey {
  if (!KEY.test(key))
    throw new AppError(
      'BAD_USER_INPUT',
      'An idempotency key is 1 to 255 printable ASCII characters',
    )
  const { user, subject } = caller
  const former = subject !== undefined && user !== null ? { formerAccount: user } : {}
  return { account: userKeyOf(caller) ?? '', ...former, key, digest }
}

export const idempotencyMismatch = () =>
  new AppError('IDEMPOTENCY_MISMATCH', 'This idempotency key came with another request')
