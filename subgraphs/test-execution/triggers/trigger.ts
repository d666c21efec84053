import type { Unattended } from '../unattended/owner.ts'

export const WEBHOOKS = ['github', 'gitlab', 'standard'] as const
export type Webhook = (typeof WEBHOOKS)[number]

/** Attributes of a stored trigger: it has a query or a webhook. */
export interface Trigger extends Unattended {
  query?: string
  webhook?: Webhook
  perHour: number
}
