import type { EntityManager } from '@mikro-orm/postgresql'
import type { Permission } from '../../../platform/access/permissions.ts'
import { BrowserSessionEntity } from './browser-session.entity.ts'
import { ownedBy } from './browser-session.repository.ts'

/** Changes of a renewal. */
export interface Renewed {
  user: string
  subject: string | null
  permissions: readonly Permission[]
  /** Sealed, as are the claims. */
  refreshToken: string
  claims: string | null
  renewFrom: Date
  grantedUntil: Date
}

/** State of sessions that an issuer renews. No change of it is one of a user, so the audit log has none. */
export class SessionRenewalRepository {
  constructor(private readonly em: EntityManager) {}

  async by(secretHash: string) {
    const row = await this.em
      .fork()
      .findOne(BrowserSessionEntity, { secretHash }, { populate: ['refreshToken', 'claims'] })
    return row?.refreshToken && row.renewFrom
      ? { refreshToken: row.refreshToken, claims: row.claims ?? null, renewFrom: row.renewFrom }
      : null
  }

  /** One process at a time may renew: issuers end a session whose refresh token is used twice. */
  async claim(secretHash: string, now: Date, until: Date): Promise<boolean> {
    const claimed = await this.em.fork().nativeUpdate(
      BrowserSessionEntity,
      {
        secretHash,
        renewFrom: { $lte: now },
        $or: [{ claimedUntil: null }, { claimedUntil: { $lte: now } }],
      },
      { claimedUntil: until },
    )
    return claimed === 1
  }

  /** Gives a claim back. Another's, taken after it ran out, stays. */
  async release(secretHash: string, until: Date, refreshToken: string | null): Promise<void> {
    const claim = { secretHash, claimedUntil: until }
    const given = { claimedUntil: null, ...(refreshToken !== null && { refreshToken }) }
    await this.em.fork().nativeUpdate(BrowserSessionEntity, claim, given)
  }

  /** @returns false where the session is over, or of another user */
  async renew(secretHash: string, renewed: Renewed): Promise<boolean> {
    const { user, subject, ...granted } = renewed
    // A gateway of the version before knows no subject, and may renew a session that has one.
    const own =
      subject === null ? { user, accountId: null } : ownedBy({ user, subject, accountId: null })
    const changed = await this.em
      .fork()
      .nativeUpdate(
        BrowserSessionEntity,
        { secretHash, ...own },
        { ...granted, user, ...(subject !== null && { subject }), claimedUntil: null },
      )
    return changed === 1
  }

  async remove(secretHash: string): Promise<void> {
    await this.em.fork().nativeDelete(BrowserSessionEntity, { secretHash })
  }
}
