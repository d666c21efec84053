/**
 * Claims of an ID token about its user. It is kept with a session, as a renewal need not bring another ID token (OpenID
 * Connect Core 1.0, section 12.2).
 */
export interface UserClaims {
  /** Subject at the issuer: stays when the user is renamed. */
  sub: string | undefined
  user: string
  /** Null where the token lists none, so that those of the access token count. */
  roles: readonly string[] | null
  /** Absent from a gateway of the version before, which split a text at blanks and commas. */
  hasWholeNames?: true
}

/** Grant of an issuer to a browser's session for a time, and the token that asks for more. */
export interface SessionGrant {
  refreshToken: string
  /** Absent from a gateway of the version before. */
  claims?: UserClaims
  /** From when on to ask for more. */
  renewInMs: number
  /** Until when it is good without that. */
  lastsMs: number
}

/** State of a session that its issuer renews: time to ask, or too late to go on without. */
export type Renewal = 'due' | 'overdue'

/** Claim of one process on the renewal: `held` means that another asks the issuer at the moment. */
export type RenewalClaim =
  | {
      state: 'granted'
      refreshToken: string
      claims?: UserClaims
      /** Names the claim, to give it back. Absent from accounts of the version before. */
      until?: number
    }
  | { state: 'held' | 'renewed' | 'over' }
