import {
  type EntityManager,
  type InferEntity,
  UniqueConstraintViolationException,
} from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { AppError } from '../../formats/errors.ts'
import { inTransaction } from '../../platform/database/sql.ts'
import { readCounted } from '../../platform/paging/counted-page.repository.ts'
import { type Connection, cursorOf, type IsKey, type Page } from '../../platform/paging/page.ts'
import type { Account } from './account.entity.ts'
import { AccountEntity, ApiTokenEntity, SessionEntity } from './account.entity.ts'
import { BrowserSessionEntity } from './sessions/browser-session.entity.ts'
import { SavedViewEntity } from './views/saved-view.entity.ts'

/** Attributes of an account that may change. */
export type AccountChange = Partial<Pick<Account, 'email' | 'role' | 'active'>> & {
  passwordHash?: string
}

/** Storage of accounts. No change takes the last administrator away who can sign in. */
export class AccountRepository {
  constructor(private readonly em: EntityManager) {}

  async find(id: string): Promise<Account | null> {
    const row = UUID.test(id) ? await this.em.fork().findOne(AccountEntity, { id }) : null
    return row && toAccount(row)
  }

  async findByEmail(email: string): Promise<(Account & { passwordHash: string }) | null> {
    const row = await this.em
      .fork()
      .findOne(AccountEntity, { email }, { populate: ['passwordHash'] })
    return row && { ...toAccount(row), passwordHash: row.passwordHash }
  }

  /** By e-mail. */
  page(page: Page): Promise<Connection<Account>> {
    const [from] = page.from ?? []
    const behind = from ? { email: page.isBackward ? { $lt: from } : { $gt: from } } : {}
    return readCounted(this.em, page, async (em) => {
      const rows = await em.find(AccountEntity, behind, {
        orderBy: { email: page.isBackward ? 'desc' : 'asc' },
        limit: page.limit + 1,
      })
      return {
        rows: rows.map(toAccount),
        cursorOf: ({ email }) => cursorOf(email),
        count: () => em.count(AccountEntity),
      }
    })
  }

  /** @throws AppError CONFLICT when the e-mail is taken */
  insert(account: Account, passwordHash: string): Promise<void> {
    return inTransaction(this.em, (em) =>
      refuseTaken(account.email, () => em.insert(AccountEntity, { ...account, passwordHash })),
    ).then(() => {})
  }

  /** Stores an account unless there is any. @returns whether it did */
  insertFirst(account: Account, passwordHash: string): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      await lockAll(em)
      if ((await em.count(AccountEntity)) > 0) return false
      await em.insert(AccountEntity, { ...account, passwordHash })
      return true
    })
  }

  /**
   * A change of what was known of the account ends its sessions.
   * @param proven stored hash of the password that permits the change
   * @returns null when there is no account, or none with that password
   * @throws AppError CONFLICT when the e-mail is taken, or no administrator would be left
   */
  change(id: string, change: AccountChange, proven?: string): Promise<Account | null> {
    if (!UUID.test(id)) return Promise.resolve(null)
    return inTransaction(this.em, async (em) => {
      await lockAll(em)
      const hadAdmin = await hasAdmin(em)
      const taken = change.email ?? ''
      const where = { id, ...(proven !== undefined && { passwordHash: proven }) }
      const count = await refuseTaken(taken, () => em.nativeUpdate(AccountEntity, where, change))
      if (count === 0) return null
      if (hadAdmin) await requireAdmin(em)
      await endSessions(em, id)
      return toAccount(await em.findOneOrFail(AccountEntity, { id }))
    })
  }

  /** Removes an account with all that signs in to it. @returns whether there was one @throws AppError CONFLICT as `change` */
  remove(id: string): Promise<boolean> {
    if (!UUID.test(id)) return Promise.resolve(false)
    return inTransaction(this.em, async (em) => {
      await lockAll(em)
      const hadAdmin = await hasAdmin(em)
      if ((await em.nativeDelete(AccountEntity, { id })) === 0) return false
      if (hadAdmin) await requireAdmin(em)
      await endSessions(em, id)
      await em.nativeDelete(ApiTokenEntity, { accountId: id })
      await em.nativeDelete(SavedViewEntity, { owner: id })
      return true
    })
  }
}

/** A change of what was known of an account ends all of its sessions. */
async function endSessions(em: EntityManager, accountId: string): Promise<void> {
  await em.nativeDelete(SessionEntity, { accountId })
  await em.nativeDelete(BrowserSessionEntity, { accountId })
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export const isAccountKey: IsKey = ([email = '', ...rest]) => email !== '' && rest.length === 0

/** Changes of accounts take turns: two administrators must not remove each other. */
const lockAll = (em: EntityManager) =>
  sql`lock table accounts.account in share row exclusive mode`.execute(em.getKysely())

const hasAdmin = async (em: EntityManager): Promise<boolean> =>
  (await em.count(AccountEntity, { role: 'admin', active: true })) > 0

async function requireAdmin(em: EntityManager): Promise<void> {
  if (!(await hasAdmin(em))) throw new AppError('CONFLICT', 'No active administrator would be left')
}

async function refuseTaken<Result>(email: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error
    throw new AppError('CONFLICT', `The e-mail ${email} belongs to another account`)
  }
}

type AccountRow = Omit<InferEntity<typeof AccountEntity>, 'passwordHash'>

const toAccount = ({ id, email, role, active, created }: AccountRow): Account => ({
  id,
  email,
  role,
  active,
  created,
})
