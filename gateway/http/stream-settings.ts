import type { Variables } from '../../platform/settings/variables.ts'

export const STREAM_VARIABLES = [
  'SUBSCRIPTION_BUFFER_BYTES',
  'SUBSCRIPTION_STALL_MS',
  'SUBSCRIPTION_MAX_PER_SOCKET',
  'SUBSCRIPTION_KEEP_ALIVE_MS',
  'CONNECTION_INIT_TIMEOUT_MS',
] as const

/** Settings that keep streams up, and limits of clients. */
export type StreamSettings = ReturnType<typeof streamSettings>

export const streamSettings = (values: Pick<Variables, (typeof STREAM_VARIABLES)[number]>) => ({
  bufferBytes: values.SUBSCRIPTION_BUFFER_BYTES,
  stallMs: values.SUBSCRIPTION_STALL_MS,
  /** Subscriptions that one WebSocket may have open. */
  maxPerSocket: values.SUBSCRIPTION_MAX_PER_SOCKET,
  /** Interval at which a quiet connection is shown to be alive. */
  keepAliveMs: values.SUBSCRIPTION_KEEP_ALIVE_MS,
  /** Time for a client to initialise its WebSocket. */
  initTimeoutMs: values.CONNECTION_INIT_TIMEOUT_MS,
})
