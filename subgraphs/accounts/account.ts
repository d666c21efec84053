import type { Role, Scope } from '../platform/access/permissions.ts'

/** Somebody who may sign in. */
export interface Account {
  id: string
  /** In lower case; the name to sign in with, and the user in histories. */
  email: string
  role: Role
  /** Nobody signs in with an inactive one. */
  active: boolean
  created: Date
}

/** A long-lived secret of an account, for programs. */
export interface ApiToken {
  id: string
  accountId: string
  name: string
  scopes: Scope[]
  created: Date
  /** Null: never. */
  expires: Date | null
  /** To the minute; null: never used. */
  lastUsed: Date | null
}

/** What lies behind a token that `/authenticate` gave. */
export interface Session {
  id: string
  accountId: string
  expires: Date
}

/** Pub/sub topic: what was known of sign-ins is to be forgotten. */
export const ACCOUNTS_CHANGED = 'accounts-changed'
