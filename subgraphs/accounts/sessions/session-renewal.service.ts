import { createHmac } from 'node:crypto'
import type { Identity } from '../../../platform/access/identity.ts'
import { hashOfSecret } from '../../../platform/access/secret-hash.ts'
import type {
  RenewalClaim,
  SessionGrant,
  UserClaims,
} from '../../../platform/access/session-grant.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import { createSecrets, type Secrets } from '../../../platform/secrets.ts'
import type { KnownSignIns } from '../sign-in/known-sign-ins.ts'
import type { SessionRenewalRepository } from './session-renewal.repository.ts'

/**
 * Time for one process to ask the issuer: for its addresses, for tokens and for its keys. Then another may; two
 * that use one refresh token end the whole grant where the issuer rotates them.
 */
const CLAIM_MS = 40_000

/** Keeps the refresh tokens of sessions, and what issuers grant for them. */
export class SessionRenewalService {
  constructor(
    private readonly repository: SessionRenewalRepository,
    private readonly known: Pick<KnownSignIns, 'forget'>,
    private readonly now: () => Date = currentTime,
  ) {}

  /** @returns with the refresh token, and what the last ID token said, for the one process that may use it now */
  async claim(secret: string): Promise<RenewalClaim> {
    const hash = hashOfSecret(secret)
    const now = this.now()
    const until = now.getTime() + CLAIM_MS
    const isMine = await this.repository.claim(hash, now, new Date(until))
    const found = await this.repository.by(hash)
    if (!found) return { state: 'over' }
    if (!isMine) return { state: found.renewFrom > now ? 'renewed' : 'held' }
    const seal = sealFor(secret)
    const claims: { claims?: UserClaims } = found.claims
      ? { claims: JSON.parse(seal.open(found.claims)) } // as `grantColumns` sealed them
      : {}
    return { state: 'granted', refreshToken: seal.open(found.refreshToken), ...claims, until }
  }

  /** The renewal failed: the issuer may be asked again at once. @param refreshToken that it may have rotated before */
  release(secret: string, until: number, refreshToken: string | null): Promise<void> {
    const sealed = refreshToken === null ? null : sealFor(secret).seal(refreshToken)
    return this.repository.release(hashOfSecret(secret), new Date(until), sealed)
  }

  /** The issuer has granted more. Where it names another user now, the session is over. */
  async renew(
    secret: string,
    { user, subject, permissions }: Pick<Identity, 'user' | 'subject' | 'permissions'>,
    grant: SessionGrant,
  ): Promise<void> {
    const hash = hashOfSecret(secret)
    const renewed = {
      user,
      subject: subject ?? null,
      permissions,
      ...grantColumns(secret, grant, this.now()),
    }
    if (!(await this.repository.renew(hash, renewed))) await this.repository.remove(hash)
    this.known.forget()
  }

  /** The issuer grants nothing more. */
  async end(secret: string): Promise<void> {
    await this.repository.remove(hashOfSecret(secret))
    this.known.forget()
  }

  /** Token to revoke when the user signs out; null where the issuer renews nothing. */
  async tokenOf(secret: string): Promise<string | null> {
    const found = await this.repository.by(hashOfSecret(secret))
    return found && sealFor(secret).open(found.refreshToken)
  }
}

/** A grant as it is stored. */
export function grantColumns(secret: string, grant: SessionGrant, now: Date) {
  const { refreshToken, claims, renewInMs, lastsMs } = grant
  const seal = sealFor(secret)
  return {
    refreshToken: seal.seal(refreshToken),
    claims: claims ? seal.seal(JSON.stringify(claims)) : null,
    renewFrom: new Date(now.getTime() + renewInMs),
    grantedUntil: new Date(now.getTime() + lastsMs),
  }
}

/** The secret in the cookie of the browser opens it, and of that secret only a hash is stored. */
function sealFor(secret: string): Secrets {
  const key = createHmac('sha256', secret).update('assay: refresh token of this session')
  return createSecrets({ secretsKey: key.digest('base64') })
}
