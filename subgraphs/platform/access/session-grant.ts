/** What an issuer grants a session of a browser for a time, and the token that asks for more. */
export interface SessionGrant {
  refreshToken: string
  /** From when on to ask for more. */
  renewInMs: number
  /** Until when it is good without that. */
  lastsMs: number
}

/** How a session stands that its issuer renews: it is time to ask, or too late to go on without. */
export type Renewal = 'due' | 'overdue'

/** What one process may do about it: `held` means that another asks the issuer at the moment. */
export type RenewalClaim =
  | { state: 'granted'; refreshToken: string }
  | { state: 'held' | 'renewed' | 'over' }
