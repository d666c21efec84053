interface SentSource {
  ref?: string | undefined
  type?: string | undefined
  name?: string | undefined
}

/** An event in the words of `/v1/events`. */
export interface SentEvent {
  title: string
  message?: string | undefined
  severity?: string | undefined
  status?: string | undefined
  source?: SentSource | undefined
  sender?: SentSource | undefined
  properties?: Record<string, unknown>
  tags?: string[] | undefined
  eventClass?: string | undefined
  /** ISO 8601, or digits since 1970. */
  createdAt?: unknown
  fingerprintFields?: string[] | undefined
}

/** An item of a request: what is stored of it, or why it never will be. */
export type Received =
  | {
      event: SentEvent
      /** Another item of the event with this key is the same occurrence, sent again. */
      key?: string | undefined
    }
  | { refused: string }
