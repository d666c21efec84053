import type { Tried } from '../../../platform/deliveries/delivery.ts'
import { post, startAttempt } from '../../../platform/deliveries/post.ts'
import { createWebhookSigner } from '../../../platform/deliveries/webhook-signer.ts'
import { filledBody } from '../../../platform/notification-template.ts'
import type { Outbound } from '../../../platform/outbound/outbound.ts'
import { OutboundError } from '../../../platform/outbound/outbound-error.ts'
import type { OutboundResponse } from '../../../platform/outbound/outbound-response.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import { createSecrets, type Secrets, type SecretsKeys } from '../../../platform/secrets.ts'
import type { SmtpSettings } from '../../../platform/settings/smtp.ts'
import { createMailer, type Mail, type Recipients } from './mail.ts'
import { linked, type NotificationBody } from './notification.ts'
import type { ForwardedArtifact } from './rule-book.ts'
import { slackBody } from './slack.ts'
import { bodyValues } from './text.ts'

/** Means of delivery. Without keys, as where a stand-alone process lacks them, no channel can be opened. */
export interface DeliveryMeans {
  outbound: Outbound
  keys?: SecretsKeys | undefined
  /** CALLBACK_SIGNING_SECRET */
  signingSecret?: string | undefined
  /** SMTP_URL and its like */
  smtp?: SmtpSettings | undefined
  /** PUBLIC_URL */
  publicUrl?: string | undefined
}

/** Sends a notification once over a channel. */
export type Deliver = (
  channel: ForwardedArtifact | undefined,
  message: Mail & { recipients: Recipients },
  signal?: AbortSignal,
) => Promise<Tried & { recipients?: Recipients }>

const TIMEOUT_MS = 10_000
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'assay' }
/** Bytes of a refusal that are kept, as text. */
const REASON_BYTES = 200
/** Answers of Slack's incoming webhooks after which a repetition changes nothing. */
const SLACK_FINAL: readonly number[] = [400, 403, 404, 410]

/** @param log names why an address cannot be opened: the reason is for operators */
export function createDeliver(
  { outbound, keys, signingSecret, smtp, publicUrl }: DeliveryMeans,
  log: Logger,
): Deliver {
  const secrets = keys && createSecrets(keys)
  const sign = signingSecret ? createWebhookSigner(signingSecret) : null
  const sendMail = smtp && createMailer(smtp)
  return async (channel, stored, signal) => {
    const body = publicUrl ? linked(stored.body, publicUrl) : stored.body
    const message = { ...stored, body }
    const { messageId } = message
    const now = currentTime()
    const facts = startAttempt(now)
    const dead = (why: string): Tried => ({ attempt: facts(null, why), isFinal: true })
    if (!channel || channel.isDeleted) return dead('The channel was deleted')
    const kind = String(channel.fields.kind)
    if (kind === 'email') {
      if (!sendMail) return dead(NO_MAIL)
      const to = channel.fields.to as string[] // as its kind was checked
      return sendMail(message, to, message.recipients)
    }
    const url = openUrl(channel, secrets, log)
    if (url === null) return { attempt: facts(null, UNREADABLE) }
    const base = { url, timeoutMs: TIMEOUT_MS, ...(signal && { signal }) }
    try {
      if (kind === 'slack') {
        const request = { ...base, headers: JSON_HEADERS, body: slackBody(body) }
        const tried = await post('notification', outbound, request, facts, reasonOf)
        return { ...tried, isFinal: SLACK_FINAL.includes(tried.attempt.status ?? 0) }
      }
      if (!sign) return dead(UNSIGNED)
      const signed = await sign(messageId, [webhookBody(channel, body)], now)
      return await post('notification', outbound, { ...base, ...signed }, facts)
    } catch (error) {
      if (!(error instanceof OutboundError) || error.reason === 'CANCELLED') throw error
      const { message: why, isUnsent } = error
      return { attempt: { ...facts(null, why), ...(isUnsent && { isUnsent }) } }
    }
  }
}

function webhookBody({ fields }: ForwardedArtifact, body: NotificationBody): string {
  const { template } = fields
  if (typeof template === 'string') return filledBody(template, bodyValues(body))
  const { created: timestamp, ...data } = body
  return JSON.stringify({ type: 'notification', timestamp, data })
}

const NO_MAIL = 'E-mail is not sent: set SMTP_URL and SMTP_FROM, and deliver it again'
const UNREADABLE =
  'The address cannot be read: give the events subgraph the SECRETS_KEY that it was sealed with; its log says why'
const UNSIGNED =
  'It cannot be signed: set CALLBACK_SIGNING_SECRET for the events subgraph, and deliver it again'

function openUrl(
  { id, sealed }: ForwardedArtifact,
  secrets: Secrets | undefined,
  log: Logger,
): string | null {
  try {
    if (!secrets) throw new Error('SECRETS_KEY is not set')
    return secrets.open(sealed.url ?? '')
  } catch (error) {
    log.error({ err: error, channelId: id }, 'Address of a channel unreadable')
    return null
  }
}

/** The words in which a receiver refuses, such as `invalid_blocks`. */
async function reasonOf({ status, read }: OutboundResponse): Promise<string | null> {
  if (status < 300) return null
  const { bytes } = await read(REASON_BYTES)
  return bytes.toString('utf8').replaceAll(/\s+/g, ' ').trim() || null
}
