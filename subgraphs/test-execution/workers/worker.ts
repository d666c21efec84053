import type { SandboxCapabilities } from '../runners/sandbox/capabilities.ts'

/** A process that runs executions, as it last reported itself. */
export interface Worker {
  id: string
  /** Host and process id. */
  name: string
  version: string
  /** Maximum number of executions at a time. */
  slots: number
  used: number
  sandbox: Pick<SandboxCapabilities, 'mode' | 'missing'>
  started: Date
  lastSeen: Date
}

/** How often workers report themselves. */
export const REPORT_MS = 5_000
/** A worker that has not reported itself for this time is gone. */
export const GONE_SECONDS = 20
