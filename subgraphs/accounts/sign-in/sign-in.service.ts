import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../../../schema/errors.ts'
import type { Credential, Identity } from '../../shared/access/identity.ts'
import { ROLES } from '../../shared/access/permissions.ts'
import type { Caller } from '../../shared/caller.ts'
import type { AccountRepository } from '../account.repository.ts'
import type { Account } from '../account.ts'
import type { AuditRepository } from '../audit/audit.repository.ts'
import type { TokenRepository } from '../token.repository.ts'
import type { KnownSignIns } from './known-sign-ins.ts'
import type { Passwords } from './passwords.ts'
import { hashOfSecret, isApiToken, isSession, newSecret } from './secret.ts'
import type { Throttle } from './throttle.ts'

const SESSION_MS = 60 * 60_000
const LAST_USED_MS = 60_000

/** Finds out who somebody is, and opens and ends sessions. */
export class SignInService {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly tokens: TokenRepository,
    private readonly passwords: Passwords,
    private readonly known: KnownSignIns,
    private readonly throttle: Throttle,
    private readonly auditLog: Pick<AuditRepository, 'add'>,
    private readonly now: () => Date = () => new Date(),
  ) {}

  /**
   * @param address where the request came from, which `requestId` names
   * @returns null for a sign-in that is not valid, whatever is wrong with it
   * @throws AppError RATE_LIMITED after too many failures, OVERLOADED
   */
  identify(credential: Credential, address: string, requestId: string): Promise<Identity | null> {
    return this.known.identify(credential, () => this.#verify(credential, address, requestId))
  }

  #verify(credential: Credential, address: string, requestId: string): Promise<Identity | null> {
    if (credential.kind === 'token') return this.#bySecret(credential.token)
    const { user, password } = credential
    const [secret, owner] = isApiToken(password) ? [password, user] : [user, password]
    if (isApiToken(secret)) return this.#bySecret(secret, owner)
    const email = user.toLowerCase()
    return this.throttle.attempt(email, address, () => this.#byPassword(email, password, requestId))
  }

  async #byPassword(email: string, password: string, requestId: string): Promise<Identity | null> {
    const account = await this.accounts.findByEmail(email)
    const matches = await this.passwords.matches(account?.passwordHash, password)
    if (account?.active && matches) return identityOf(account)
    // What names no account may be a password that was typed into the wrong field.
    if (account)
      await this.auditLog.add({
        id: uuidv7(),
        at: this.now(),
        user: null,
        action: 'failedSignIn',
        target: account.email,
        requestId,
      })
    return null
  }

  /** @param owner the e-mail that came along with an API token, if any */
  async #bySecret(secret: string, owner = ''): Promise<Identity | null> {
    if (isSession(secret)) return this.#bySession(secret)
    const found = isApiToken(secret) ? await this.tokens.tokenBy(hashOfSecret(secret)) : null
    if (!found) return null
    const { token, account } = found
    const now = this.now()
    const isOver = token.expires !== null && token.expires <= now
    if (isOver || !account.active || (owner && owner.toLowerCase() !== account.email)) return null
    await this.tokens.touch(token.id, now, new Date(now.getTime() - LAST_USED_MS))
    const allowed: readonly string[] = ROLES[account.role]
    return {
      ...identityOf(account),
      permissions: token.scopes.filter((scope) => allowed.includes(scope)),
      ...(token.expires && { expiresAt: token.expires.getTime() }),
    }
  }

  async #bySession(secret: string): Promise<Identity | null> {
    const found = await this.tokens.sessionBy(hashOfSecret(secret))
    if (!found?.account.active || found.session.expires <= this.now()) return null
    const { id, expires } = found.session
    return { ...identityOf(found.account), session: id, expiresAt: expires.getTime() }
  }

  /**
   * A token for the header `token`. Where nobody signs in it is good for nothing, and harmless.
   * @throws AppError UNAUTHENTICATED for somebody who came with such a token, which would never end; FORBIDDEN where
   *   accounts are kept elsewhere
   */
  async open({ user, account, session }: Caller): Promise<{ token: string; expires: Date }> {
    if (session)
      throw new AppError('UNAUTHENTICATED', 'A token gets no other: sign in with the password')
    if (user !== null && !account)
      throw new AppError('FORBIDDEN', 'Tokens are for accounts that are kept here: sign in as now')
    const token = newSecret('session')
    const now = this.now()
    const expires = new Date(now.getTime() + SESSION_MS)
    if (account) {
      const session = { id: uuidv7(), accountId: account, expires }
      await this.tokens.insertSession(session, hashOfSecret(token), now)
    }
    return { token, expires }
  }

  /** Ends the session that the caller came with, or all of the caller's. @returns whether any ended */
  async end({ account, session }: Caller, everywhere: boolean): Promise<boolean> {
    if (!account || !(everywhere || session)) return false
    const ended = await this.tokens.removeSessions(account, everywhere ? undefined : session)
    this.known.forget()
    return ended > 0
  }
}

const identityOf = ({ id, email, role }: Account): Identity => ({
  user: email,
  account: id,
  permissions: ROLES[role],
})
