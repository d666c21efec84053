import { alertmanager, prometheus } from './alerts.ts'
import { cloudevents } from './cloudevents.ts'
import { github } from './github.ts'
import { otlpLogs } from './otlp-logs.ts'
import type { Receiver } from './receiver.ts'
import { sentry, sentryStore } from './sentry.ts'

/** Receivers that are built in. A new one is a file beside these, and a line here. */
export const RECEIVERS: readonly Receiver[] = [
  alertmanager,
  prometheus,
  cloudevents,
  otlpLogs,
  sentry,
  sentryStore,
  github,
]
