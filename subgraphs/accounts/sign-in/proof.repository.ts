import { type EntityManager, LockMode } from '@mikro-orm/postgresql'
import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { AccountEntity, SessionEntity } from '../account.entity.ts'
import { BrowserSessionEntity } from '../sessions/browser-session.entity.ts'
import { passwordIdOf } from './secret.ts'

/** Parts of a caller that prove the sign-in. */
export type Proof = Pick<Caller, 'account' | 'session' | 'passwordId'>

/**
 * Locks what proved a caller until the transaction ends, so that nothing lasting is stored for a password that was
 * changed, or a session that was ended, since. It comes first in a transaction, because changes of an account lock the
 * account before its sessions. Callers without an account proved themselves elsewhere, so nothing is locked for them.
 * @throws AppError UNAUTHENTICATED where the proof holds no longer
 */
export async function holdProof(em: EntityManager, proof: Proof): Promise<void> {
  const { account, session, passwordId } = proof
  if (!account) return
  const holds = session
    ? await holdsSession(em, account, session)
    : await holdsPassword(em, account, passwordId)
  if (!holds)
    throw new AppError('UNAUTHENTICATED', 'The sign-in is not valid any more: sign in again')
}

const LOCKED = { lockMode: LockMode.PESSIMISTIC_READ } as const

async function holdsPassword(em: EntityManager, id: string, passwordId: string | undefined) {
  const account = await em.findOne(AccountEntity, { id }, { ...LOCKED, populate: ['passwordHash'] })
  return account?.active === true && passwordIdOf(account.passwordHash) === passwordId
}

async function holdsSession(em: EntityManager, accountId: string, id: string) {
  const found =
    (await em.findOne(BrowserSessionEntity, { id, accountId }, LOCKED)) ??
    (await em.findOne(SessionEntity, { id, accountId }, LOCKED))
  return found !== null
}
