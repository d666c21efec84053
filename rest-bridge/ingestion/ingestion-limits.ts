/** What an operator allows clients that send events. */
export interface IngestionLimits {
  /** Bytes of one body, inflated. EVENTS_BODY_BYTES */
  bodyBytes: number
  /** Events of one body. EVENTS_CALL_EVENTS */
  callEvents: number
  /** Bytes of a body that imports, inflated. IMPORT_BODY_BYTES */
  importBytes: number
  /** Events that wait for their answer; beyond, requests are refused unread. EVENTS_QUEUE_EVENTS */
  queueEvents: number
  /** Bytes of bodies that wait for their answer, inflated. EVENTS_QUEUE_BYTES */
  queueBytes: number
  /** Requests that wait for their answer; beyond, further ones are refused unread. EVENTS_QUEUE_REQUESTS */
  queueRequests: number
  /** Events that one user, or one address without a sign-in, may send in a minute; null for any number. EVENTS_PER_MINUTE */
  perMinute: number | null
}
