import type { Variables } from '../../../platform/settings/variables.ts'

export const INGESTION_VARIABLES = [
  'EVENTS_BODY_BYTES',
  'EVENTS_CALL_EVENTS',
  'IMPORT_BODY_BYTES',
  'EVENTS_QUEUE_EVENTS',
  'EVENTS_QUEUE_BYTES',
  'EVENTS_QUEUE_REQUESTS',
  'EVENTS_PER_MINUTE',
] as const

/** Limits of an operator for clients that send events. */
export type IngestionLimits = ReturnType<typeof ingestionLimitsOf>

export const ingestionLimitsOf = (
  values: Pick<Variables, (typeof INGESTION_VARIABLES)[number]>,
) => ({
  /** Bytes of one body, inflated. */
  bodyBytes: values.EVENTS_BODY_BYTES,
  /** Events of one body. */
  callEvents: values.EVENTS_CALL_EVENTS,
  /** Bytes of a body that imports, inflated. */
  importBytes: values.IMPORT_BODY_BYTES,
  /** Events that wait for their answer; beyond, requests are refused unread. */
  queueEvents: values.EVENTS_QUEUE_EVENTS,
  /** Bytes of bodies that wait for their answer, inflated. */
  queueBytes: values.EVENTS_QUEUE_BYTES,
  /** Requests that wait for their answer; beyond, further ones are refused unread. */
  queueRequests: values.EVENTS_QUEUE_REQUESTS,
  /** Events that one user, or one address without a sign-in, may send in a minute; null for any number. */
  perMinute: values.EVENTS_PER_MINUTE ?? null,
})
