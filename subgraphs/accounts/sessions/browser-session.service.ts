import { v7 as uuidv7 } from 'uuid'
import { AppError, notFound } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import type { SessionIdentity } from '../../../platform/access/identity.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import { hashOfSecret } from '../../../platform/access/secret-hash.ts'
import type { Renewal, SessionGrant } from '../../../platform/access/session-grant.ts'
import type { SessionLifetimes } from '../../../platform/access/session-lifetimes.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { KnownSignIns } from '../sign-in/known-sign-ins.ts'
import { newSecret } from '../sign-in/secret.ts'
import type { BrowserSession, SessionOwner } from './browser-session.entity.ts'
import type { BrowserSessionRepository } from './browser-session.repository.ts'
import { grantColumns } from './session-renewal.service.ts'

/** A use within this time of the last one is not written down. */
const LAST_USED_MS = 60_000
/** Sessions in one list. */
const LISTED = 1_000
/** Characters of what a browser says of itself. */
const BROWSER_LENGTH = 500

/** Opens, prolongs, lists and ends sessions of browsers. */
export class BrowserSessionService {
  constructor(
    private readonly repository: BrowserSessionRepository,
    private readonly known: Pick<KnownSignIns, 'forget'>,
    private readonly lifetimes: SessionLifetimes,
    private readonly now: () => Date = currentTime,
  ) {}

  /**
   * @param browser as it names itself
   * @param grant of an issuer that renews it
   * @param replaced hashes of secrets of sessions that end with it
   * @returns the session and its secret, which is not shown again
   * @throws AppError UNAUTHENTICATED for a caller that no password of now and no issuer has proven
   */
  async open(
    caller: Caller,
    browser: string,
    grant: SessionGrant | null = null,
    replaced: string[] = [],
  ): Promise<{ session: BrowserSession; secret: string }> {
    const { user, account, session, permissions } = caller
    const { expiresAt = Infinity, address = '' } = caller
    if (user === null || session)
      throw new AppError('UNAUTHENTICATED', 'A session is opened by a password or by the issuer')
    const created = this.now()
    // No longer than what proved the caller, unless that is renewed.
    const ends = new Date(
      Math.min(created.getTime() + this.lifetimes.lifetimeMs, grant ? Infinity : expiresAt),
    )
    const secret = newSecret('browser')
    const { refreshToken, claims, ...granted } = grant
      ? grantColumns(secret, grant, created)
      : NO_GRANT
    const opened: BrowserSession = {
      ...{ id: uuidv7(), accountId: account ?? null, user, created, lastUsed: created, ends },
      subject: caller.subject ?? null,
      permissions: account ? null : permissions,
      expires: this.#expiry(created, ends),
      address,
      browser: browser.slice(0, BROWSER_LENGTH),
      ...granted,
    }
    const secretHash = hashOfSecret(secret)
    await this.repository.insert({ ...opened, refreshToken, claims, secretHash }, replaced, caller)
    if (replaced.length > 0) this.known.forget()
    return { session: opened, secret }
  }

  /** Identifies a browser by its cookie, which is a use of the session. @returns null for a session that is over */
  async identify(secret: string): Promise<SessionIdentity | null> {
    const found = await this.repository.by(hashOfSecret(secret))
    const now = this.now()
    if (!found || found.session.expires <= now) return null
    const { session, account } = found
    const { id, user, subject, accountId, permissions, lastUsed, ends } = session
    if (accountId && !account?.active) return null
    if (now.getTime() - lastUsed.getTime() > LAST_USED_MS)
      await this.repository.touch(id, now, this.#expiry(now, ends))
    const renewal = renewalOf(session, now)
    const known = { session: id, expiresAt: ends.getTime(), ...(renewal && { renewal }) }
    return account
      ? { ...known, user: account.email, account: account.id, permissions: ROLES[account.role] }
      : { ...known, user, ...(subject !== null && { subject }), permissions: permissions ?? [] }
  }

  /** The newest first. @throws AppError FORBIDDEN unless the caller may see those of all users */
  list(caller: Caller, everyone: boolean): Promise<BrowserSession[]> {
    if (everyone) requirePermission(caller, 'accounts:manage')
    const owner = everyone ? null : ownerOf(caller)
    return everyone || owner ? this.repository.list(owner, this.now(), LISTED) : Promise.resolve([])
  }

  /** @throws AppError NOT_FOUND, also for another user's session */
  async end(id: string, caller: Caller): Promise<void> {
    const isManager = caller.permissions.includes('accounts:manage')
    const owner = ownerOf(caller)
    const ended =
      isManager || owner ? await this.repository.remove(isManager ? null : owner, id) : 0
    this.known.forget()
    if (ended === 0) throw notFound('session', id)
  }

  /** Those of sessions that last. */
  lasting(ids: readonly string[]): Promise<string[]> {
    return this.repository.lasting(ids)
  }

  /** Ends the session of the caller, or all of the caller's. @returns how many */
  async signOut(caller: Caller, everywhere: boolean): Promise<number> {
    const owner = ownerOf(caller)
    if (!owner || !(everywhere || caller.session)) return 0
    return this.repository.remove(owner, everywhere ? undefined : caller.session)
  }

  #expiry(now: Date, ends: Date): Date {
    return new Date(Math.min(now.getTime() + this.lifetimes.idleMs, ends.getTime()))
  }
}

const NO_GRANT = { refreshToken: null, claims: null, renewFrom: null, grantedUntil: null }

function renewalOf(
  { renewFrom, grantedUntil }: Pick<BrowserSession, 'renewFrom' | 'grantedUntil'>,
  now: Date,
): Renewal | undefined {
  if (!renewFrom || !grantedUntil || renewFrom > now) return undefined
  return grantedUntil > now ? 'due' : 'overdue'
}

const ownerOf = ({ user, subject, account }: Caller): SessionOwner | null =>
  user === null ? null : { user, subject: subject ?? null, accountId: account ?? null }
