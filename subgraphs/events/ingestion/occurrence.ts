import type { ExactNumber } from '../../../formats/json/exact-number.ts'

/** The values that can form a fingerprint. */
export type Scalar = string | number | ExactNumber | boolean

/** Subject of an event, or its reporter; every part is optional. */
export interface SourceFields {
  ref: string | null
  type: string | null
  name: string | null
  properties: Record<string, unknown> | null
}

/** The execution whose end caused an occurrence. Only the internal path sets it. */
export interface ExecutionCause {
  executionId: string
  /** The scenario or suite that was executed. */
  contextId: string
  contextType: 'testcase' | 'suite'
}

/** One accepted item of an ingestion: tolerance and defaults are applied, the fingerprint is known. */
export interface Occurrence {
  /** Derived from the fingerprint. */
  eventId: string
  fingerprint: string
  fingerprintFields: string[]
  /** The named fields that formed the fingerprint, with their values. */
  fingerprintValues: [name: string, value: Scalar][]
  title: string
  message: string | null
  severity: string
  status: string
  source: SourceFields
  sender: SourceFields | null
  properties: Record<string, unknown>
  tags: string[]
  eventClass: string | null
  /** When it happened: `createdAt`, or the time of receipt. */
  occurredAt: Date
  receivedAt: Date
  /** UTF-8 bytes of the item as compact JSON; of one over the limit, without the fields that are ignored. */
  bytes: number
  cause: ExecutionCause | null
}
