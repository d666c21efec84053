import { createHmac } from 'node:crypto'
import type { Permission } from '../../platform/access/permissions.ts'
import type { RenewalClaim, SessionGrant } from '../../platform/access/session-grant.ts'
import { currentTime } from '../../platform/process/clock.ts'
import { createSecrets, type Secrets } from '../../platform/secrets.ts'
import type { KnownSignIns } from '../sign-in/known-sign-ins.ts'
import { hashOfSecret } from '../sign-in/secret.ts'
import type { SessionRenewalRepository } from './session-renewal.repository.ts'

/**
 * How long one process may take to ask the issuer: for its addresses, for tokens and for its keys. Then another may; two
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

  /** @returns with the refresh token for the one process that may use it now */
  async claim(secret: string): Promise<RenewalClaim> {
    const hash = hashOfSecret(secret)
    const now = this.now()
    const isMine = await this.repository.claim(hash, now, new Date(now.getTime() + CLAIM_MS))
    const found = await this.repository.by(hash)
    if (!found) return { state: 'over' }
    if (!isMine) return { state: found.renewFrom > now ? 'renewed' : 'held' }
    return { state: 'granted', refreshToken: sealFor(secret).open(found.refreshToken) }
  }

  /** The issuer has granted more. Where it names another user now, the session is over. */
  async renew(
    secret: string,
    { user, permissions }: { user: string; permissions: readonly Permission[] },
    grant: SessionGrant,
  ): Promise<void> {
    const hash = hashOfSecret(secret)
    const renewed = { user, permissions, ...grantColumns(secret, grant, this.now()) }
    if (!(await this.repository.renew(hash, renewed))) await this.repository.remove(hash)
    this.known.forget()
  }

  /** The issuer grants nothing more. */
  async end(secret: string): Promise<void> {
    await this.repository.remove(hashOfSecret(secret))
    this.known.forget()
  }

  /** What to revoke when the user signs out; null where the issuer renews nothing. */
  async tokenOf(secret: string): Promise<string | null> {
    const found = await this.repository.by(hashOfSecret(secret))
    return found && sealFor(secret).open(found.refreshToken)
  }
}

/** A grant as it is stored. */
export const grantColumns = (secret: string, grant: SessionGrant, now: Date) => ({
  refreshToken: sealFor(secret).seal(grant.refreshToken),
  renewFrom: new Date(now.getTime() + grant.renewInMs),
  grantedUntil: new Date(now.getTime() + grant.lastsMs),
})

/** The secret in the cookie of the browser opens it, and of that secret only a hash is stored. */
function sealFor(secret: string): Secrets {
  const key = createHmac('sha256', secret).update('assay: refresh token of this session')
  return createSecrets({ secretsKey: key.digest('base64') })
}
