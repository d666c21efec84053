import type { Variables } from '../../subgraphs/platform/settings/variables.ts'
import type { StreamLimits } from '../federation/index.ts'

/** How streams are kept up, and what clients may do to them. */
export interface StreamSettings extends StreamLimits {
  /** How often a quiet connection is shown to be alive. */
  keepAliveMs: number
  /** How long a client may take to initialise its WebSocket. */
  initTimeoutMs: number
}

export const STREAM_VARIABLES = [
  'SUBSCRIPTION_BUFFER_BYTES',
  'SUBSCRIPTION_STALL_MS',
  'SUBSCRIPTION_KEEP_ALIVE_MS',
  'CONNECTION_INIT_TIMEOUT_MS',
] as const

export const streamSettings = (
  values: Pick<Variables, (typeof STREAM_VARIABLES)[number]>,
): StreamSettings => ({
  bufferBytes: values.SUBSCRIPTION_BUFFER_BYTES,
  stallMs: values.SUBSCRIPTION_STALL_MS,
  keepAliveMs: values.SUBSCRIPTION_KEEP_ALIVE_MS,
  initTimeoutMs: values.CONNECTION_INIT_TIMEOUT_MS,
})
