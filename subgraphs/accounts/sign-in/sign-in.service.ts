import { v7 as uuidv7 } from 'uuid'
import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Credential, Identity } from '../../../platform/access/identity.ts'
import { ROLES } from '../../../platform/access/permissions.ts'
import { hashOfSecret } from '../../../platform/access/secret-hash.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Account } from '../account.entity.ts'
import type { BrowserSessionService } from '../sessions/browser-session.service.ts'
import type { TokenRepository } from '../token.repository.ts'
import type { KnownSignIns } from './known-sign-ins.ts'
import type { Origin, PasswordProof, PasswordSignIn } from './password-sign-in.ts'
import { isApiToken, isSession, newSecret, passwordIdOf } from './secret.ts'
import type { Throttle } from './throttle.ts'

const SESSION_MS = 60 * 60_000
const LAST_USED_MS = 60_000

/** Dependencies of the sign-in. */
export interface SignInDeps {
  passwords: PasswordSignIn
  throttle: Throttle
  tokens: TokenRepository
  browsers: Pick<BrowserSessionService, 'identify' | 'lasting' | 'signOut'>
  known: KnownSignIns
}

/** Identifies callers, and opens and ends sessions. */
export class SignInService {
  constructor(
    private readonly deps: SignInDeps,
    private readonly now: () => Date = currentTime,
  ) {}

  /**
   * @returns null for a sign-in that is not valid, whatever is wrong with it
   * @throws AppError RATE_LIMITED after too many failures, OVERLOADED
   */
  async identify(credential: Credential, origin: Origin): Promise<Identity | null> {
    const proof = proofOf(credential)
    if (proof.kind !== 'password') return this.recheck(credential)
    const { email } = proof
    // The throttle comes first: else the right guess would stand out by being let in.
    await this.deps.throttle.check(email, origin.address)
    return this.deps.known.identify(credential, () =>
      this.deps.throttle.attempt(email, origin.address, () => this.#byPassword(proof, origin)),
    )
  }

  /** As `identify`, for credentials that were valid before: they are no guess, so they are neither counted nor audited. */
  recheck(credential: Credential): Promise<Identity | null> {
    const proof = proofOf(credential)
    // After a renewal in another process, the word of it may come later than this request.
    if (credential.kind === 'cookie' && credential.isFresh)
      return this.deps.browsers.identify(credential.secret)
    return this.deps.known.identify(credential, () => {
      if (proof.kind === 'browser') return this.deps.browsers.identify(proof.secret)
      return proof.kind === 'secret' ? this.#bySecret(proof) : this.#byPassword(proof)
    })
  }

  /** @param origin writes the sign-in down */
  async #byPassword(proof: PasswordProof, origin?: Origin): Promise<Identity | null> {
    const account = await this.deps.passwords.accountOf(proof, origin)
    return account && { ...identityOf(account), passwordId: passwordIdOf(account.passwordHash) }
  }

  async #bySecret({ secret, owner }: SecretProof): Promise<Identity | null> {
    if (isSession(secret)) return this.#bySession(secret)
    const found = isApiToken(secret) ? await this.deps.tokens.tokenBy(hashOfSecret(secret)) : null
    if (!found) return null
    const { token, account } = found
    const now = this.now()
    const isOver = token.expires !== null && token.expires <= now
    if (isOver || !account.active || (owner && owner.toLowerCase() !== account.email)) return null
    await this.deps.tokens.touch(token.id, now, new Date(now.getTime() - LAST_USED_MS))
    const allowed: readonly string[] = ROLES[account.role]
    return {
      ...identityOf(account),
      permissions: token.scopes.filter((scope) => allowed.includes(scope)),
      ...(token.expires && { expiresAt: token.expires.getTime() }),
    }
  }

  async #bySession(secret: string): Promise<Identity | null> {
    const found = await this.deps.tokens.sessionBy(hashOfSecret(secret))
    if (!found?.account.active || found.session.expires <= this.now()) return null
    const { id, expires } = found.session
    return { ...identityOf(found.account), session: id, expiresAt: expires.getTime() }
  }

  /**
   * A token for the header `token`. With `AUTH_MODE=none` it has no effect.
   * @throws AppError UNAUTHENTICATED for a caller with such a token, which would never end, or whose password
   *   was changed meanwhile; FORBIDDEN where accounts are kept elsewhere
   */
  async open(caller: Caller): Promise<{ token: string; expires: Date }> {
    const { user, account, session } = caller
    if (session)
      throw new AppError('UNAUTHENTICATED', 'A token gets no other: sign in with the password')
    if (user !== null && !account)
      throw new AppError('FORBIDDEN', 'Tokens are for accounts that are kept here: sign in as now')
    const token = newSecret('session')
    const now = this.now()
    const expires = new Date(now.getTime() + SESSION_MS)
    if (account) {
      const session = { id: uuidv7(), accountId: account, expires }
      await this.deps.tokens.insertSession(session, hashOfSecret(token), { now, proof: caller })
    }
    return { token, expires }
  }

  /** Ends the session that the caller came with, or all of the caller's. @returns whether any ended */
  async end(caller: Caller, everywhere: boolean): Promise<boolean> {
    const { account, session } = caller
    const ofBrowsers = await this.deps.browsers.signOut(caller, everywhere)
    const ofTokens =
      account && (everywhere || session)
        ? await this.deps.tokens.removeSessions(account, everywhere ? undefined : session)
        : 0
    this.deps.known.forget()
    return ofBrowsers + ofTokens > 0
  }

  /** Those of sessions that have ended, here or in another process. */
  async ended(ids: readonly string[]): Promise<string[]> {
    const { browsers, tokens, known } = this.deps
    const lasting = new Set(
      (await Promise.all([browsers.lasting(ids), tokens.lastingSessions(ids)])).flat(),
    )
    const ended = ids.filter((id) => !lasting.has(id))
    if (ended.length > 0) known.forget()
    return ended
  }
}

interface BrowserProof {
  kind: 'browser'
  secret: string
}

interface SecretProof {
  kind: 'secret'
  secret: string
  /** The e-mail that came along with an API token; empty for none. */
  owner: string
}

/** Proof in a credential: in HTTP Basic, an API token may stand on either side of the colon. */
function proofOf(credential: Credential): PasswordProof | SecretProof | BrowserProof {
  if (credential.kind === 'cookie') return { kind: 'browser', secret: credential.secret }
  if (credential.kind === 'token') return { kind: 'secret', secret: credential.token, owner: '' }
  const { user, password } = credential
  if (isApiToken(password)) return { kind: 'secret', secret: password, owner: user }
  if (isApiToken(user)) return { kind: 'secret', secret: user, owner: password }
  return { kind: 'password', email: user.toLowerCase(), password }
}

const identityOf = ({ id, email, role }: Account): Identity => ({
  user: email,
  account: id,
  permissions: ROLES[role],
})
