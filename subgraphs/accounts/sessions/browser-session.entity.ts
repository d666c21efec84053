import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Permission } from '../../../platform/access/permissions.ts'
import type { Row } from '../../../platform/database/row.ts'

export const BrowserSessionEntity = defineEntity({
  name: 'BrowserSession',
  tableName: 'browser_session',
  properties: {
    id: p.uuid().primary(),
    /** Null for users of an issuer. */
    accountId: p.uuid().nullable(),
    user: p.text().name('user_name'),
    /** The issuer and its subject; null for accounts, and for sessions of the version before. */
    subject: p.text().nullable(),
    /** Permissions that the issuer granted at the sign-in; null where the role of the account decides. */
    permissions: p.json<readonly Permission[]>().nullable(),
    /** SHA-256. */
    secretHash: p.string().lazy().unique('browser_session_secret_hash_unique'),
    created: p.datetime(3),
    /** To the minute. */
    lastUsed: p.datetime(3),
    /** Without use; moves on with each use. */
    expires: p.datetime(3),
    /** However much it is used. */
    ends: p.datetime(3),
    /** Address of the client that signed in. */
    address: p.text(),
    /** As it names itself. */
    browser: p.text(),
    /** Refresh token of the issuer, sealed; null where it renews nothing. */
    refreshToken: p.text().lazy().nullable(),
    /** Claims of the ID token, sealed; null where nothing is renewed, and for sessions of the version before. */
    claims: p.text().lazy().nullable(),
    /** When to ask the issuer for more; null where it renews nothing. */
    renewFrom: p.datetime(3).nullable(),
    /** Until when it has granted the session. */
    grantedUntil: p.datetime(3).nullable(),
    /** End of one process's right to ask. */
    claimedUntil: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'browser_session_user_name_index', properties: ['user'] },
    { name: 'browser_session_subject_index', properties: ['subject'] },
    { name: 'browser_session_expires_index', properties: ['expires'] },
  ],
})

/** A sign-in of a browser. A cookie with its secret stands for it. */
export type BrowserSession = Omit<
  Row<InferEntity<typeof BrowserSessionEntity>>,
  'secretHash' | 'refreshToken' | 'claims' | 'claimedUntil'
>

/** Sealed parts of a session. */
export interface SealedGrant {
  refreshToken: string | null
  claims: string | null
}

/** Whose sessions. */
export type SessionOwner = Pick<BrowserSession, 'user' | 'subject' | 'accountId'>
