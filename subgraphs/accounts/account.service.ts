import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { AppError, notFound } from '../../formats/errors.ts'
import type { Caller } from '../../platform/access/caller.ts'
import { isDatabaseText } from '../../platform/database/database-text.ts'
import { type Connection, type PageArgs, readPage } from '../../platform/paging/page.ts'
import { currentTime } from '../../platform/process/clock.ts'
import type { Account } from './account.entity.ts'
import { type AccountRepository, isAccountKey } from './account.repository.ts'
import type { CreateAccountInput, UpdateAccountInput } from './account.type.ts'
import type { KnownSignIns } from './sign-in/known-sign-ins.ts'
import type { Passwords } from './sign-in/passwords.ts'
import type { Throttle } from './sign-in/throttle.ts'

type AccountChanges = Omit<UpdateAccountInput, 'id'>

/** Dependencies of the service of accounts. */
export interface AccountDeps {
  repository: AccountRepository
  passwords: Passwords
  known: Pick<KnownSignIns, 'forget'>
  throttle: Throttle
}

/** Keeps accounts. */
export class AccountService {
  constructor(
    private readonly deps: AccountDeps,
    private readonly now: () => Date = currentTime,
  ) {}

  find(id: string): Promise<Account | null> {
    return this.deps.repository.find(id)
  }

  /** @throws AppError NOT_FOUND */
  async named(email: string): Promise<Account> {
    const account = await this.deps.repository.findByEmail(email.toLowerCase())
    if (!account) throw new AppError('NOT_FOUND', `No account has the e-mail ${email}`)
    const { passwordHash: _, ...rest } = account
    return rest
  }

  /** @throws AppError BAD_USER_INPUT for a page that cannot be */
  page(page: PageArgs): Promise<Connection<Account>> {
    return this.deps.repository.page(readPage(page, isAccountKey))
  }

  /**
   * @returns the account, and its password where one was made
   * @throws AppError BAD_USER_INPUT, CONFLICT when the e-mail is taken
   */
  async create(input: CreateAccountInput): Promise<{ account: Account; password: string | null }> {
    const { account, hash, password } = await this.#fresh(input)
    await this.deps.repository.insert(account, hash)
    return { account, password }
  }

  /** As `create`, unless there is any account. @returns null when there is */
  async createFirst(
    input: CreateAccountInput,
  ): Promise<{ account: Account; password: string | null } | null> {
    const present = await this.deps.repository.page({ limit: 1, isBackward: false, from: null })
    if (present.nodes.length > 0) return null
    const { account, hash, password } = await this.#fresh(input)
    return (await this.deps.repository.insertFirst(account, hash)) ? { account, password } : null
  }

  /** Changes an account; absent attributes stay. Ends the sessions of the account. @throws AppError NOT_FOUND, BAD_USER_INPUT, CONFLICT */
  async change(id: string, changes: AccountChanges): Promise<Account> {
    return (await this.#change(id, changes)) ?? Promise.reject(notFound('account', id))
  }

  /** Gives the account another password. @returns it @throws AppError NOT_FOUND */
  async resetPassword(id: string): Promise<string> {
    const password = newPassword()
    await this.change(id, { password })
    return password
  }

  /** @throws AppError NOT_FOUND, CONFLICT when no administrator would be left */
  async delete(id: string): Promise<void> {
    const existed = await this.deps.repository.remove(id)
    this.deps.known.forget()
    if (!existed) throw notFound('account', id)
  }

  /** @throws AppError UNAUTHENTICATED unless `current` is the password of the caller, RATE_LIMITED, BAD_USER_INPUT */
  async changeOwnPassword(caller: Caller, current: string, password: string): Promise<void> {
    const own =
      caller.account && caller.user ? await this.deps.repository.findByEmail(caller.user) : null
    const matches = async () =>
      (await this.deps.passwords.matches(own?.passwordHash, current)) ? own : null
    // A stolen session must not serve to guess the password, from any address.
    const proven = own && (await this.deps.throttle.attemptOwn(own.email, matches))
    if (!proven || !(await this.#change(proven.id, { password }, proven.passwordHash)))
      throw new AppError('UNAUTHENTICATED', 'current: this is not the password of your account')
  }

  /** @param proven stored hash of the password that permits the change @returns null where there is no such account */
  async #change(
    id: string,
    { email, role, active, password }: AccountChanges,
    proven?: string,
  ): Promise<Account | null> {
    const change = {
      ...(email != null && { email: checkEmail(email) }),
      ...(role != null && { role }),
      ...(active != null && { active }),
      ...(password != null && { passwordHash: await this.deps.passwords.hash(password) }),
    }
    const changed = await this.deps.repository.change(id, change, proven)
    this.deps.known.forget()
    return changed
  }

  async #fresh({ email, role, password }: CreateAccountInput) {
    const made = password ? null : newPassword()
    const given = { email: checkEmail(email), role }
    const account: Account = { id: uuidv7(), ...given, active: true, created: this.now() }
    const hash = await this.deps.passwords.hash(password ?? made ?? '')
    return { account, hash, password: made }
  }
}

const newPassword = (): string => randomBytes(15).toString('base64url')

/** As much of an address as matters here: a colon would end the name in HTTP Basic. */
const EMAIL = /^[^\s:@]+@[^\s:@]+$/

function checkEmail(email: string): string {
  if (!EMAIL.test(email) || email.length > 254 || !isDatabaseText(email))
    throw new AppError('BAD_USER_INPUT', 'email: expected an address such as ada@example.com')
  return email.toLowerCase()
}
