import { createHmac, randomUUID } from 'node:crypto'
import { isEqual } from '../../../formats/received/fields.ts'
import type { Webhook } from './trigger.ts'

/** A request as its sender made it. */
export interface WebhookRequest {
  body: string
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>
}

/** Age of a signed request, and how far ahead the clock of its sender may be. */
const TOLERANCE_SECONDS = 300

/** True if the sender knows the secret. */
export function isProven(
  webhook: Webhook,
  { body, headers }: WebhookRequest,
  secret: string,
  now: Date,
): boolean {
  if (webhook === 'github') {
    const digest = createHmac('sha256', secret).update(body).digest('hex')
    return isEqual(headers['x-hub-signature-256'] ?? '', `sha256=${digest}`)
  }
  const isSigned = secret.startsWith('whsec_') && isSignedStandard(body, headers, secret, now)
  return isSigned || (webhook === 'gitlab' && isEqual(headers['x-gitlab-token'] ?? '', secret))
}

/** Standard Webhooks, which GitLab's signing tokens follow, too: several signatures while a secret is changed. */
function isSignedStandard(
  body: string,
  headers: WebhookRequest['headers'],
  secret: string,
  now: Date,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at = '', 'webhook-signature': given } = headers
  const isTimely = Math.abs(Number(at) - now.getTime() / 1_000) <= TOLERANCE_SECONDS
  if (!id || !given || !/^\d+$/.test(at) || !isTimely) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const digest = createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')
  return given.split(' ').some((signature) => isEqual(signature, `v1,${digest}`))
}

/** Names a delivery: the same for each repetition. */
export const deliveryOf = ({ headers }: WebhookRequest): string =>
  headers['webhook-id'] ??
  headers['x-github-delivery'] ??
  headers['idempotency-key'] ??
  randomUUID()

/** True for the request by which GitHub tries an address. */
export const isPing = (webhook: Webhook, { headers }: WebhookRequest): boolean =>
  webhook === 'github' && headers['x-github-event'] === 'ping'

/** Text of the JSON that it carries; GitHub can put it into a form. */
export const payloadOf = ({ body, headers }: WebhookRequest): string =>
  /^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '')
    ? (new URLSearchParams(body).get('payload') ?? '')
    : body
