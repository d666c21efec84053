import type { JsonSchema } from '../documents/json-schema.ts'

/** A request as a sender made it. */
export interface SenderRequest {
  /** Inflated. */
  body: Buffer
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  query: Readonly<Record<string, string | undefined>>
  now: Date
}

/** An event in the words of `/v1/events`. */
export interface SentEvent {
  title: string
  message?: string | undefined
  severity?: string | undefined
  status?: string | undefined
  source?: { ref?: string | undefined; type: string; name?: string | undefined }
  sender?: { ref?: string | undefined; type: string; name?: string | undefined }
  properties?: Record<string, unknown>
  tags?: string[]
  eventClass?: string
  /** ISO 8601, or digits since 1970. */
  createdAt?: unknown
  fingerprintFields?: string[]
}

/** An item of a request: what is stored of it, or why it never will be. */
export type Received =
  | {
      event: SentEvent
      /** Another item of the event with this key is the same occurrence, sent again. */
      key?: string | undefined
    }
  | { refused: string }

/** Verdicts on the items of a request, by position. */
export interface ReceivedOutcome {
  accepted: readonly { index: number; id: string }[]
  errors: readonly { index: number; message: string }[]
}

/** The response that a sender expects. */
export interface SenderResponse {
  status: number
  /** Sent as JSON. */
  body: unknown
}

/** Settings with the secrets of receivers. */
export const RECEIVER_VARIABLES = ['RECEIVER_GITHUB_SECRET', 'RECEIVER_SENTRY_KEY'] as const
export type ReceiverSecret = (typeof RECEIVER_VARIABLES)[number]

/** A sender with words of its own: its address, its proof, the decoder of its format and the response it expects. */
export interface Receiver {
  /** Names it in events and metrics. */
  name: string
  /** Below `/v1/receivers/`, with all that the sender appends. */
  path: string
  summary: string
  /** Proof of senders that cannot sign in. */
  secret?: {
    setting: ReceiverSecret
    isProof(request: SenderRequest, secret: string): boolean
  }
  /** @throws AppError for a body that is refused as a whole */
  decode(request: SenderRequest): Received[]
  /** By default 200 in the shape of `/v1/events`. */
  respond?(outcome: ReceivedOutcome, request: SenderRequest): SenderResponse
  /** Schema of that response. */
  schema?: JsonSchema
  /** JSON that works as it stands. */
  example?: unknown
}
