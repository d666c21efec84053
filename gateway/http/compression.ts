import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import Negotiator from 'negotiator'
import type { Headers, TextResponse } from './http-message.ts'

/** Smaller responses fit into one packet either way. */
const MIN_BYTES = 1_024

const withBrotli = promisify(brotliCompress)
/** Brotli's default takes a hundred times as long, for files that are compressed once. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Encoders of each content coding, in the order of our choice where a client has none. */
const CODINGS = {
  zstd: promisify(zstdCompress),
  br: (text: string | Buffer) => withBrotli(text, BROTLI),
  gzip: promisify(gzip),
} as const

export type Coding = keyof typeof CODINGS

/** Its types lack what decides between equally welcome codings. */
interface Negotiation {
  encoding(available: string[], options: { preferred: string[] }): string | undefined
}

const AVAILABLE = [...Object.keys(CODINGS), 'identity']

/** Codings that `*` asks for: its senders, such as Prism, may not decode the others. */
const EVERYBODYS = ['gzip', 'identity']

const isCoding = (name: string | undefined): name is Coding =>
  name !== undefined && Object.hasOwn(CODINGS, name)

const TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml|javascript|graphql)\b)/

/** The content coding of a response, by `Accept-Encoding` (RFC 9110, 12.5.3); undefined where it goes out as it is. */
export function codingFor(
  { 'accept-encoding': accepted }: Headers,
  { headers, isPlain = false }: TextResponse,
): Coding | undefined {
  if (accepted === undefined || isPlain) return undefined
  if (!(Number(headers['Content-Length']) >= MIN_BYTES)) return undefined
  if (headers['Content-Encoding'] !== undefined || !TEXT.test(String(headers['Content-Type'])))
    return undefined
  const given = String(accepted)
  const named = [...EVERYBODYS, ...given.toLowerCase().split(/[\s,;]+/)]
  const available = AVAILABLE.filter((coding) => named.includes(coding))
  const negotiator: Negotiation = new Negotiator({ headers: { 'accept-encoding': given } })
  const coding = negotiator.encoding(available, { preferred: available })
  return isCoding(coding) ? coding : undefined
}

/** The tag of a representation: each coding has one of its own (RFC 9110, 8.8.3.3). */
export const tagOf = (tag: string, coding: Coding | undefined): string =>
  coding ? tag.replace(/"$/, `-${coding}"`) : tag

/** Callers who share a response share this, too. */
const made = new WeakMap<TextResponse, Partial<Record<Coding, Promise<TextResponse>>>>()

export function compressed(response: TextResponse, coding: Coding): Promise<TextResponse> {
  const known = made.get(response) ?? {}
  made.set(response, known)
  known[coding] ??= encoded(response, coding)
  return known[coding]
}

async function encoded(response: TextResponse, coding: Coding): Promise<TextResponse> {
  const text = await CODINGS[coding](response.text ?? '')
  const { ETag } = response.headers
  const headers = {
    ...response.headers,
    'Content-Encoding': coding,
    'Content-Length': text.length,
    ...(typeof ETag === 'string' && { ETag: tagOf(ETag, coding) }),
  }
  return { ...response, headers, text }
}

/**
 * True if a response may hold a secret that is made for it. Beside text that its caller chose, its length would give the
 * secret away (BREACH).
 * @param operation GraphQL
 */
export const returnsSecret = (operation: string): boolean =>
  /\bmutation\b/.test(operation) && /\b(secret|token)\b/.test(operation)
