import type { Permission } from '../../platform/access/permissions.ts'

/** A sign-in of a browser. A cookie with its secret stands for it. */
export interface BrowserSession {
  id: string
  /** Null for users of an issuer. */
  accountId: string | null
  user: string
  /** What the issuer granted at the sign-in; null where the role of the account says it. */
  permissions: readonly Permission[] | null
  created: Date
  /** To the minute. */
  lastUsed: Date
  /** Without use; moves on with each use. */
  expires: Date
  /** However much it is used. */
  ends: Date
  /** Of the client that signed in. */
  address: string
  /** As it names itself. */
  browser: string
  /** When to ask the issuer for more; null where it renews nothing. */
  renewFrom: Date | null
  /** Until when the issuer has granted it. */
  grantedUntil: Date | null
}

/** Whose sessions. */
export type SessionOwner = Pick<BrowserSession, 'user' | 'accountId'>
