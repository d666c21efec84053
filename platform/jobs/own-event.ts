import type { Queue } from 'pg-boss'
import { HEARTBEAT_SECONDS } from './jobs.ts'

/** The job by which a part of the product raises or closes an event; written in the transaction that decides it. */
export interface OwnEvent {
  /** Unique: a job that is delivered twice counts once. */
  key: string
  title: string
  message: string
  severity: 'INFO' | 'WARN' | 'ERROR'
  status: 'OPEN' | 'OK'
  /** Equal events have the same class, source and properties. */
  eventClass: string
  source: { ref: string; type: string; name: string }
  properties: Readonly<Record<string, unknown>>
  /** ISO 8601. */
  createdAt: string
}

/** Retried as `EXECUTION_ENDED` is. */
export const OWN_EVENT: Queue = {
  name: 'own-event',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 50,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 900,
}
