import { AppError } from '../../../formats/errors.ts'

/** Knowledge that decides over a start. */
export interface StartFacts {
  isEnabled: boolean
  perHour: number
  /** Why nothing starts by itself; null while it does. */
  paused: string | null
  /** Triggers that led to the change. */
  chain: readonly string[]
  /** Times of its starts within the last hour, the earliest first. */
  started: readonly Date[]
}

export const HOUR_MS = 3_600_000
const PAUSED_SECONDS = 60

/** Decides whether a trigger starts an execution. @returns null where it does */
export function refusalOf(id: string, facts: StartFacts, now: Date): AppError | null {
  const { isEnabled, perHour, paused, chain, started } = facts
  if (paused !== null)
    return new AppError('OVERLOADED', `No trigger starts anything: ${paused}`, {
      retryAfterSeconds: PAUSED_SECONDS,
    })
  if (!isEnabled)
    return new AppError('CONFLICT', `The trigger ${id} is not enabled: enable it first`)
  if (chain.includes(id))
    return new AppError(
      'CONFLICT',
      `The event follows from an execution that this trigger led to (${[...chain, id].join(' → ')}), which would never end. Narrow its query, such as by -source.ref:ID of what it executes`,
    )
  const [first] = started.slice(-perHour)
  if (!first || started.length < perHour) return null
  return new AppError(
    'RATE_LIMITED',
    `The trigger ${id} has started ${perHour} executions within an hour, as many as it may (perHour): raise it, or narrow what starts it`,
    { retryAfterSeconds: Math.max(1, Math.ceil((+first + HOUR_MS - +now) / 1_000)) },
  )
}
