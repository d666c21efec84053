/** Job that a handler holds. */
export interface Job<Data> {
  id: string
  data: Data
  /** Number of times that it was taken before. */
  retryCount: number
  /** Aborted when the job is no longer ours: its lease ran out or the process stops. */
  signal: AbortSignal
}
