import type { Caller } from './caller.ts'
import type { Renewal } from './session-grant.ts'

/** The credentials of one sign-in. */
export type Credential =
  | { kind: 'token'; token: string }
  | { kind: 'basic'; user: string; password: string }
  /** Cookie of a browser's session. */
  | { kind: 'cookie'; secret: string /** Read after a renewal. */; isFresh?: boolean }

/** The user that a sign-in proved, with role and permissions. */
export interface Identity extends Omit<Caller, 'requestId' | 'user' | 'refusal' | 'address'> {
  user: string
  /** Remaining lifetime of the credentials: the clock of the gateway may differ from that of `expiresAt`. */
  lifetimeMs?: number
}

/** Identity from a browser's session. */
export interface SessionIdentity extends Identity {
  /** Absent while the session is good, and where nothing renews it. */
  renewal?: Renewal
}
