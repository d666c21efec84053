import { createHmac } from 'node:crypto'
import { parseBounded } from '../../formats/json/json.ts'
import { isEqual } from '../../formats/received/fields.ts'
import { compileMapping, type ReceiverMapping } from '../../formats/received/mapping.ts'
import { answerTo } from './answers.ts'
import type { Receiver } from './receiver.ts'

/** A receiver as people stored it; its kind has checked it. */
export interface StoredReceiver extends ReceiverMapping {
  name: string
  secret: string | null
  proof?: { header?: string; query?: string; prefix?: string; hmac?: 'HEX' | 'BASE64' }
  response?: { status?: number; body?: unknown }
}

/** The table of a stored receiver. */
export function storedReceiver(stored: StoredReceiver): Receiver {
  const { name, secret, proof, response } = stored
  const map = compileMapping(stored)
  return {
    name,
    path: ':name',
    summary: STORED_SUMMARY,
    ...(secret !== null &&
      proof && { secret: { held: { value: secret }, isProof: proofAt(proof) } }),
    decode: ({ body, now, mostEvents = Number.POSITIVE_INFINITY }) =>
      map(parseBounded(body), now, mostEvents),
    respond(outcome) {
      const status = response?.status ?? 202
      if (status === 204 || status === 205) return { status, body: undefined }
      return { status, body: response?.body ?? answerTo(outcome).body }
    },
  }
}

export const STORED_SUMMARY = 'Receive JSON by a receiver that is stored, found by its name or id'

function proofAt({
  header,
  query,
  prefix = '',
  hmac,
}: NonNullable<StoredReceiver['proof']>): NonNullable<Receiver['secret']>['isProof'] {
  return (request, secret) => {
    const given = query ? request.query[query] : request.headers[header?.toLowerCase() ?? '']
    if (hmac === undefined) return isEqual(given ?? '', prefix + secret)
    const digest = createHmac('sha256', secret).update(request.body)
    return isEqual(given ?? '', prefix + digest.digest(hmac === 'HEX' ? 'hex' : 'base64'))
  }
}
