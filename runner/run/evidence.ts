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

/** A call of a component's function, as people read it. */
export interface StepCall {
  /** Name of the component. */
  component: string
  function: string
  /** Null where they are too long to be kept. */
  args: unknown[] | null
  /** Absent where it did not return; null where it is too long to be kept. */
  result?: unknown
}

/** Evidence of how a step ended. */
export interface Evidence {
  /** Number of tries. */
  attempts: number
  /** The last one. */
  exchange: Exchange | null
  /** The last one. */
  call: StepCall | null
  captures: Readonly<Record<string, unknown>>
  /** Attachments of all attempts. */
  attachments: Attachment[]
}

export const noEvidence = (): Evidence => ({
  attempts: 0,
  exchange: null,
  call: null,
  captures: {},
  attachments: [],
})

interface KeptEvidence {
  attempts: number
  exchange?: Exchange
  call?: StepCall
  captures?: Record<string, unknown>
  attachments?: Attachment[]
}

/** Characters of a body that are kept. */
export const MAX_KEPT_BODY = 16_384
/** The same of a step that succeeded. */
export const MAX_KEPT_PASSED = 4_096
/** Characters of what one step captured, beyond which nothing of it is kept. */
const MAX_KEPT_CAPTURES = 16_384

/** Headers that carry credentials, also ones that Assay does not know. */
const SECRET_HEADER = /authorization|cookie|token|secret|password|api-?key/i

/** Parts of it that are kept, masked; of a step that succeeded only the beginning, so that failed ones have their place. */
export function keptEvidence(
  { attempts, exchange, call, captures, attachments }: Evidence,
  isGood: boolean,
  mask: Mask,
  count: Pick<RunCount, 'noteEvidence'>,
): KeptEvidence {
  const most = isGood ? MAX_KEPT_PASSED : MAX_KEPT_BODY
  const files = attachments.length > 0 ? { attachments } : {}
  const small = {
    attempts,
    ...(Object.keys(captures).length > 0 &&
      sizeOf(captures, MAX_KEPT_CAPTURES) <= MAX_KEPT_CAPTURES && {
        captures: sanitize(mask.value(captures)) as Record<string, unknown>, // as it was
      }),
  }
  const whole = {
    ...small,
    ...(exchange && { exchange: cleanExchange(exchange, mask, most) }),
    ...(call && { call: cleanCall(call, mask, most) }),
  }
  if (count.noteEvidence(sizeOf(whole), isGood)) return { ...whole, ...files }
  return { ...(count.noteEvidence(sizeOf(small), false) ? small : { attempts }), ...files }
}

function cleanCall({ args, ...call }: StepCall, mask: Mask, most: number): StepCall {
  const clean = (value: unknown) =>
    sizeOf(value, most) <= most ? sanitize(mask.value(value)) : null
  return {
    ...call,
    args: clean(args) as unknown[] | null, // as they were
    ...('result' in call && { result: clean(call.result) }),
  }
}

/** In memory of its own: V8 holds a whole text for as long as a slice of it. */
const beginningOf = (text: string, most: number): string =>
  Buffer.from(sanitizeText(text.slice(0, most))).toString()

function cleanExchange(
  { request, response, durationMs }: Exchange,
  mask: Mask,
  most: number,
): Exchange {
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
      body: body === null ? null : beginningOf(body, most),
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
