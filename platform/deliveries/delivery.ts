/** PENDING: the next attempt is due at `nextAttemptAt`. GIVEN_UP: the receiver wants no more. DEAD: every attempt failed, or no job makes one. */
export type DeliveryStateName = 'PENDING' | 'DELIVERED' | 'GIVEN_UP' | 'DEAD'

/** One try to deliver: either a status came back, or an error says why none did. */
export interface DeliveryAttempt {
  /** ISO 8601. */
  started: string
  status: number | null
  error: string | null
  durationMs: number
  /** The receiver cannot have seen it. */
  isUnsent?: true
}

/** Next state of a delivery after an attempt. */
export interface DeliveryStep {
  state: DeliveryStateName
  /** null once nothing more is tried. */
  nextAttemptAt: Date | null
}

/** An attempt and what decides the next one. */
export interface Tried {
  attempt: DeliveryAttempt
  /** `Retry-After` of the receiver. */
  retryAfter?: string | undefined
  /** No further attempt can succeed. */
  isFinal?: boolean
}
