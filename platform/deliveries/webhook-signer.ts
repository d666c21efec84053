import { createHmac } from 'node:crypto'
import { inTurns } from '../async/turns.ts'

export interface SignedBody {
  headers: Record<string, string>
  body: Buffer
}

/** Makes the request of an attempt out of the parts of its text. @param id of the message: the same in every attempt */
export type WebhookSigner = (id: string, text: Iterable<string>, now: Date) => Promise<SignedBody>

/**
 * Signs bodies of JSON as Standard Webhooks describes it.
 * @param secret CALLBACK_SIGNING_SECRET: `whsec_` and Base64
 */
export function createWebhookSigner(secret: string): WebhookSigner {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return async (id, text, now) => {
    const timestamp = String(Math.floor(now.getTime() / 1_000))
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`)
    const body = await inTurns(text, (part) => void signature.update(part))
    return {
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'assay',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature.digest('base64')}`,
      },
    }
  }
}
