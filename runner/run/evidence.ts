import { sizeOf } from '../../formats/json/values.ts'
import type { Attachment } from './attachment.ts'
import type { RunCount } from './limits.ts'
import { type Mask, sanitize, sanitizeText } from './mask.ts'

/** A request of a step and its response, as people read them. */
export interface Exchange {
  request: Message & { method: string; url: string }
  /** Null where none came. */
  response: (Message & { status: number }) | null
  /** Until the whole response was there, or the request had failed. */
  durationMs: number
}

export interface Message {
  headers: Record<string, string>
  /** The beginning of a long one; null without one. */
  body: string | null
  /** Characters of the whole body; of a masked one, as it is masked. */
  bodyLength: number
}

/** Evidence of how a step ended. */
export interface Evidence {
  /** Number of tries. */
  attempts: number
  /** The last one. */
  exchange: Exchange | null
  captures: Readonly<Record<string, unknown>>
  /** Attachments of all attempts. */
  attachments: Attachment[]
}

export const noEvidence = (): Evidence => ({
  attempts: 0,
  exchange: null,
  captures: {},
  attachments: [],
})

interface KeptEvidence {
  attempts: number
  exchange?: Exchange
  captures?: Record<string, unknown>
  attachments?: Attachment[]
}

/** Characters of a body that are kept. */
export const MAX_KEPT_BODY = 16_384
/** Characters of what one step captured, beyond which nothing of it is kept. */
const MAX_KEPT_CAPTURES = 16_384

/** Headers that carry credentials, also ones that Assay does not know. */
const SECRET_HEADER = /authorization|cookie|token|secret|password|api-?key/i

/** Parts of it that are kept, masked; the exchange only of a step that did not succeed. */
export function keptEvidence(
  { attempts, exchange, captures, attachments }: Evidence,
  isGood: boolean,
  mask: Mask,
  count: Pick<RunCount, 'noteEvidence'>,
): KeptEvidence {
  const kept = {
    attempts,
    ...(exchange && !isGood && { exchange: cleanExchange(exchange, mask) }),
    ...(Object.keys(captures).length > 0 &&
      sizeOf(captures, MAX_KEPT_CAPTURES) <= MAX_KEPT_CAPTURES && {
        captures: sanitize(mask.value(captures)) as Record<string, unknown>, // as it was
      }),
  }
  const files = attachments.length > 0 ? { attachments } : {}
  return { ...(count.noteEvidence(sizeOf(kept)) ? kept : { attempts }), ...files }
}

function cleanExchange({ request, response, durationMs }: Exchange, mask: Mask): Exchange {
  const clean = (text: string) => sanitizeText(mask.text(text))
  // Masked before it is cut: half a secret has no shape that the mask knows.
  const cleanMessage = ({ headers, body: given }: Message): Message => {
    const body = given === null ? null : clean(given)
    return {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          clean(name),
          SECRET_HEADER.test(name) ? '***' : clean(value),
        ]),
      ),
      body: body === null ? null : sanitizeText(body.slice(0, MAX_KEPT_BODY)),
      bodyLength: body?.length ?? 0,
    }
  }
  const { method, url } = request
  return {
    request: { method, url: clean(url), ...cleanMessage(request) },
    response: response && { status: response.status, ...cleanMessage(response) },
    durationMs,
  }
}
