import type {
  DeliveryAttempt,
  DeliveryStateName,
  DeliveryStep,
} from '../../../platform/deliveries/delivery.ts'

export type CallbackStateName = DeliveryStateName
export type CallbackAttempt = DeliveryAttempt
export type CallbackStep = DeliveryStep

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
