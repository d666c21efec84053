/** PENDING: the next attempt is due at `nextAttemptAt`. GIVEN_UP: the receiver wants no more. DEAD: every attempt failed, or no job makes one. */
export type CallbackStateName = 'PENDING' | 'DELIVERED' | 'GIVEN_UP' | 'DEAD'

/** One try to deliver a callback: either an HTTP status came back, or an error says why none did. */
export interface CallbackAttempt {
  /** ISO 8601. */
  started: string
  status: number | null
  error: string | null
  durationMs: number
}

/** Target of a callback. The URL may carry credentials, so it is kept sealed. */
export interface CallbackTarget {
  /** Origin of the URL. */
  receiver: string
  sealedUrl: string
}

/** The report of an ended execution to a URL, and the state of its delivery. */
export interface CallbackDelivery extends CallbackTarget {
  id: string
  executionId: string
  state: CallbackStateName
  attempts: CallbackAttempt[]
  /** Number of attempts before the last re-delivery: its schedule begins behind them. */
  earlierAttempts: number
  created: Date
  /** null once nothing more is tried. */
  nextAttemptAt: Date | null
}

/** Next state of a delivery after an attempt. */
export type CallbackStep = Pick<CallbackDelivery, 'state' | 'nextAttemptAt'>
