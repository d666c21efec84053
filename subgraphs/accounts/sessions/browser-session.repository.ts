import type { EntityManager, InferEntity } from '@mikro-orm/postgresql'
import { inTransaction } from '../../../platform/database/sql.ts'
import type { Account } from '../account.entity.ts'
import { AccountEntity } from '../account.entity.ts'
import { holdProof, type Proof } from '../sign-in/proof.repository.ts'
import type { BrowserSession, SealedGrant, SessionOwner } from './browser-session.entity.ts'
import { BrowserSessionEntity } from './browser-session.entity.ts'

type Row = InferEntity<typeof BrowserSessionEntity>

/** Storage of browser sessions. Their secrets are never stored, only hashes of them. */
export class BrowserSessionRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Stores a session, and forgets those that it replaces and all that are over.
   * @param replaced hashes of their secrets
   * @throws AppError UNAUTHENTICATED where `proof` holds no longer
   */
  async insert(
    session: BrowserSession & SealedGrant & { secretHash: string },
    replaced: string[],
    proof: Proof,
  ): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await holdProof(em, proof)
      const isOver = { expires: { $lt: session.created } }
      await em.nativeDelete(BrowserSessionEntity, {
        $or: [isOver, { secretHash: { $in: replaced } }],
      })
      await em.insert(BrowserSessionEntity, session)
    })
  }

  /** The session with a secret, and its account where it has one. */
  async by(
    secretHash: string,
  ): Promise<{ session: BrowserSession; account: Account | null } | null> {
    const em = this.em.fork()
    const row = await em.findOne(BrowserSessionEntity, { secretHash })
    if (!row) return null
    const id = row.accountId
    const account = id ? await em.findOne(AccountEntity, { id }) : null
    return { session: toSession(row), account }
  }

  /** Moves its end on. */
  async touch(id: string, lastUsed: Date, expires: Date): Promise<void> {
    await this.em.fork().nativeUpdate(BrowserSessionEntity, { id }, { lastUsed, expires })
  }

  /** The newest first. @param owner null for those of all users @param limit how many at most */
  async list(owner: SessionOwner | null, now: Date, limit: number): Promise<BrowserSession[]> {
    const rows = await this.em
      .fork()
      .find(
        BrowserSessionEntity,
        { ...(owner && ownedBy(owner)), expires: { $gt: now } },
        { orderBy: { id: 'desc' }, limit },
      )
    return rows.map(toSession)
  }

  /** Those of sessions that last. */
  async lasting(ids: readonly string[]): Promise<string[]> {
    const rows = await this.em
      .fork()
      .find(BrowserSessionEntity, { id: { $in: ids.filter(isUuid) } }, { fields: ['id'] })
    return rows.map(({ id }) => id)
  }

  /** Ends one session, or all of an owner. @param owner null for one of any user @returns how many */
  remove(owner: SessionOwner | null, id?: string): Promise<number> {
    if (id !== undefined && !isUuid(id)) return Promise.resolve(0)
    return inTransaction(this.em, (em) =>
      em.nativeDelete(BrowserSessionEntity, { ...(owner && ownedBy(owner)), ...(id && { id }) }),
    )
  }
}

/** Other texts name no session. */
export const isUuid = (text: string): boolean =>
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)

/** An account keeps its sessions when its e-mail changes. The version before knew users of an issuer by their names. */
export const ownedBy = ({ user, subject, accountId }: SessionOwner) => {
  const byName = { user, subject: null, accountId: null }
  if (accountId) return { accountId }
  return subject === null ? byName : { $or: [{ subject }, byName] }
}

const toSession = ({
  secretHash: _hash,
  refreshToken: _token,
  claims: _claims,
  claimedUntil: _claimed,
  ...row
}: Row): BrowserSession => ({
  ...row,
  accountId: row.accountId ?? null,
  subject: row.subject ?? null,
  permissions: row.permissions ?? null,
  renewFrom: row.renewFrom ?? null,
  grantedUntil: row.grantedUntil ?? null,
})
