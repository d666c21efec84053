import type { EntityManager, InferEntity } from '@mikro-orm/postgresql'
import { inTransaction } from '../../platform/database/sql.ts'
import type { Account, ApiToken, Session } from './account.entity.ts'
import { AccountEntity, ApiTokenEntity, SessionEntity } from './account.entity.ts'
import { isUuid } from './sessions/browser-session.repository.ts'
import { holdProof, type Proof } from './sign-in/proof.repository.ts'

/** Storage of API tokens and sessions. Their secrets are never stored, only hashes of them. */
export class TokenRepository {
  constructor(private readonly em: EntityManager) {}

  /** @param maker who makes it @throws AppError UNAUTHENTICATED where the proof of the maker holds no longer */
  async insertToken(token: ApiToken, secretHash: string, maker: Proof): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await holdProof(em, maker)
      await em.insert(ApiTokenEntity, { ...token, secretHash })
    })
  }

  async findToken(id: string): Promise<ApiToken | null> {
    const row = isUuid(id) ? await this.em.fork().findOne(ApiTokenEntity, { id }) : null
    return row && toToken(row)
  }

  /** The oldest first. */
  async tokensOf(accountId: string): Promise<ApiToken[]> {
    const rows = await this.em
      .fork()
      .find(ApiTokenEntity, { accountId }, { orderBy: { id: 'asc' } })
    return rows.map(toToken)
  }

  async removeToken(id: string): Promise<void> {
    await inTransaction(this.em, (em) => em.nativeDelete(ApiTokenEntity, { id }))
  }

  /** The token with a secret, and whose it is. */
  async tokenBy(secretHash: string): Promise<{ token: ApiToken; account: Account } | null> {
    const em = this.em.fork()
    const token = await em.findOne(ApiTokenEntity, { secretHash })
    const account = token && (await em.findOne(AccountEntity, { id: token.accountId }))
    return token && account ? { token: toToken(token), account } : null
  }

  /** Writes down that a token is in use, unless that was done since `before`. */
  async touch(id: string, now: Date, before: Date): Promise<void> {
    await this.em
      .fork()
      .nativeUpdate(
        ApiTokenEntity,
        { id, $or: [{ lastUsed: null }, { lastUsed: { $lt: before } }] },
        { lastUsed: now },
      )
  }

  /** Stores a session, and forgets those of the account that are over. @throws AppError UNAUTHENTICATED where `proof` holds no longer */
  async insertSession(
    session: Session,
    secretHash: string,
    { now, proof }: { now: Date; proof: Proof },
  ): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await holdProof(em, proof)
      await em.nativeDelete(SessionEntity, { accountId: session.accountId, expires: { $lt: now } })
      await em.insert(SessionEntity, { ...session, secretHash })
    })
  }

  async sessionBy(secretHash: string): Promise<{ session: Session; account: Account } | null> {
    const em = this.em.fork()
    const session = await em.findOne(SessionEntity, { secretHash })
    const account = session && (await em.findOne(AccountEntity, { id: session.accountId }))
    return session && account ? { session, account } : null
  }

  /** Those of sessions that last. */
  async lastingSessions(ids: readonly string[]): Promise<string[]> {
    const rows = await this.em
      .fork()
      .find(SessionEntity, { id: { $in: ids.filter(isUuid) } }, { fields: ['id'] })
    return rows.map(({ id }) => id)
  }

  /** Ends one session of an account, or all. @returns how many */
  removeSessions(accountId: string, id?: string): Promise<number> {
    return inTransaction(this.em, (em) =>
      em.nativeDelete(SessionEntity, { accountId, ...(id && { id }) }),
    )
  }
}

type TokenRow = Omit<InferEntity<typeof ApiTokenEntity>, 'secretHash'>

function toToken({ id, accountId, name, scopes, created, ...row }: TokenRow): ApiToken {
  const { expires = null, lastUsed = null } = row
  return { id, accountId, name, scopes, created, expires, lastUsed }
}
