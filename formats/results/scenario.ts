import { MAX_IMPORT_DURATION_MS } from '../import-limits.ts'
import { reportTime } from '../junit/report-time.ts'

export type State = 'COMPLETED' | 'FAILED' | 'ERROR' | 'SKIPPED'

/** A file that a report names, or holds. */
export interface NamedFile {
  name: string
  contentType?: string
  /** Relative to the report; null where `base64` is there. */
  path: string | null
  base64?: string
}

export interface Step {
  name: string
  state: State
  message: string
  durationMs: number
  files: NamedFile[]
}

/** A try before the last one. */
export interface Try {
  state: 'FAILED' | 'ERROR'
  message: string
  started: string | null
  durationMs: number
  steps: Step[]
}

/** A bad run as a try of the runs after it. */
export const tryOf = <Steps>(
  { message, started, durationMs, steps }: Omit<Try, 'state' | 'steps'> & { steps: Steps },
  state: Try['state'],
) => ({ state, message, started, durationMs, steps })

/** A scenario that ran elsewhere. */
export interface Scenario {
  name: string
  state: State
  message: string
  /** ISO 8601; null where the report says nothing. */
  started: string | null
  durationMs: number
  steps: Step[]
  log: string
  tries: Try[]
}

/** All that a report says. */
export interface Report {
  scenarios: Scenario[]
  /** Contradictions within it. */
  warnings: readonly string[]
}

/** JSON of a report: fields of any kind. */
export type Json = Readonly<Record<string, unknown>>

export const listIn = (value: unknown): Json[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'object' && each !== null) : []

export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Whole milliseconds; 0 for what is no time that an import takes: some tools write a point in time. */
export const durationIn = (ms: unknown): number =>
  typeof ms === 'number' && ms > 0 && ms <= MAX_IMPORT_DURATION_MS ? Math.round(ms) : 0

export const objectIn = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}

/** A time of a report; null for what is none, or stands for an unknown one. */
export const timeIn = reportTime
