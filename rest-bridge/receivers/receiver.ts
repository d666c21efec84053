import type { Received } from '../../formats/received/received.ts'
import type { JsonSchema } from '../documents/json-schema.ts'

/** A request as a sender made it. */
export interface SenderRequest {
  /** Inflated. */
  body: Buffer
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
  query: Readonly<Record<string, string | undefined>>
  now: Date
  /** EVENTS_CALL_EVENTS */
  mostEvents?: number
}

/** Verdicts on the items of a request, by position. */
export interface ReceivedOutcome {
  accepted: readonly { index: number; id: string }[]
  errors: readonly { index: number; message: string }[]
}

/** The response that a sender expects. */
export interface SenderResponse {
  status: number
  /** Sent as JSON; undefined for none. */
  body?: unknown
  /** In place of a body, of that media type. */
  bytes?: Buffer
  mediaType?: string
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
    /** Setting that has the secret, or the secret itself. */
    held: { setting: ReceiverSecret } | { value: string }
    isProof(request: SenderRequest, secret: string): boolean
  }
  /** @throws AppError for a body that is refused as a whole */
  decode(request: SenderRequest): Received[]
  /** By default 200 in the shape of `/v1/events`. */
  respond?(outcome: ReceivedOutcome, request: SenderRequest): SenderResponse
  /** A failure in the encoding of the request; undefined for the common body. */
  fail?(
    message: string,
    headers: SenderRequest['headers'],
  ): Required<Pick<SenderResponse, 'bytes' | 'mediaType'>> | undefined
  /** Schema of that response. */
  schema?: JsonSchema
  /** JSON that works as it stands. */
  example?: unknown
}
