import type { Queue } from 'pg-boss'
import { HEARTBEAT_SECONDS } from './jobs.ts'

/**
 * The job by which the events subgraph learns of an artifact that it goes by; written in the transaction that changes the
 * artifact.
 */
export interface ArtifactStored {
  kind: string
  id: string
  /** Microseconds of the database's clock; a later change of an artifact has a greater one. */
  at: string
  /** Name and attributes of its kind; null once it is deleted. */
  fields: Record<string, unknown> | null
  /** Sealed values by attribute. */
  sealed: Readonly<Record<string, string>>
}

/** Retried until it is stored. */
export const ARTIFACT_STORED: Queue = {
  name: 'artifact-stored',
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryLimit: 1_000,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 60,
}
