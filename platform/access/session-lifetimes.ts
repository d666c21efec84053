import type { Variables } from '../settings/variables.ts'

/** Lifetimes of a browser's session. */
export interface SessionLifetimes {
  /** Without use. */
  idleMs: number
  /** However much it is used. */
  lifetimeMs: number
}

export const SESSION_VARIABLES = ['SESSION_IDLE_MINUTES', 'SESSION_LIFETIME_HOURS'] as const

const MINUTE_MS = 60_000

export const sessionLifetimes = (
  values: Pick<Variables, (typeof SESSION_VARIABLES)[number]>,
): SessionLifetimes => ({
  idleMs: values.SESSION_IDLE_MINUTES * MINUTE_MS,
  lifetimeMs: values.SESSION_LIFETIME_HOURS * 60 * MINUTE_MS,
})
