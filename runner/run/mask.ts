import { mapJson, withTexts } from '../../formats/json/values.ts'

/** Replaces secrets wherever they appear, in text and inside JSON. */
export interface Mask {
  text(text: string): string
  /** The same JSON with every string (keys too) masked, and numbers that read like a secret. */
  value(value: unknown): unknown
  /** Texts that it replaces; `maskOf` makes the same mask of it in another process. */
  shapes: readonly string[]
}

const STARS = '***'
/** Masking shorter values would leave no text readable, and gain nothing against a guess. */
export const MIN_MASKED_LENGTH = 4

/**
 * A mask for secrets, and for the password of host credentials, also in the shapes they travel in: Base64,
 * percent-encoded (as in forms and in each part of a URL), JSON, a header, line by line.
 */
export function createMask(
  credentials: { userId: string; password: string } | null = null,
  secrets: readonly string[] = [],
): Mask {
  const { userId, password } = credentials ?? { userId: '', password: '' }
  const all = [...secrets, password]
    .filter((secret) => secret !== '')
    .flatMap((secret) => [...shapesOf(secret), base64(`${userId}:${secret}`)])
  const shapes = [...new Set(all)]
    .filter((shape) => shape.trim().length >= MIN_MASKED_LENGTH)
    // The longest first, so that no shape leaves the rest of another behind.
    .sort((a, b) => b.length - a.length)
  return maskOf(shapes)
}

export function maskOf(shapes: readonly string[]): Mask {
  const text = (given: string) =>
    shapes.reduce((masked, shape) => masked.replaceAll(shape, STARS), given)
  const part = (given: unknown) => {
    if (typeof given === 'string') return text(given)
    return shapes.includes(String(given)) ? STARS : given
  }
  const value = (given: unknown) => mapJson(given, part, text)
  return { text, value, shapes }
}

const shapesOf = (secret: string): string[] => [
  secret,
  ...secret.split(/[\r\n]+/),
  ...percentEncoded(secret).flatMap((shape) => [shape, withSmallDigits(shape)]),
  ...inJson(secret),
  Buffer.from(secret).toString('latin1'), // UTF-8 in a header, whose bytes are read one by one
  base64(secret),
]

/** Many servers escape more in JSON than they must. */
function inJson(secret: string): string[] {
  const ascii = jsonEscaping(secret, /[^ -~]/u)
  return [
    jsonEscaping(secret, NOTHING),
    jsonEscaping(secret, NOTHING).replaceAll('/', '\\/'),
    ascii, // Python
    ascii.replaceAll('/', '\\/'), // PHP
    jsonEscaping(secret, /[<>&\u2028\u2029]/), // Go, Rails
    jsonEscaping(secret, /[<>&='\u2028\u2029]/), // Gson
    jsonEscaping(secret, /["&'+<>`]|[^ -~]/u, (digits) => digits.toUpperCase()), // .NET
  ]
}

const NOTHING = /(?!)/

/** As the content of a JSON string in which these characters are `\u` and four digits. */
const jsonEscaping = (text: string, escaped: RegExp, write = (digits: string) => digits): string =>
  text.replace(/./gsu, (character) => {
    const short = JSON.stringify(character).slice(1, -1)
    if (!escaped.test(character) || /^\\[bfnrt]$/.test(short)) return short
    return character
      .split('')
      .map((unit) => `\\u${write(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`)
      .join('')
  })

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Each part of a URL encodes other characters: https://url.spec.whatwg.org/#percent-encoded-bytes */
function percentEncoded(secret: string): string[] {
  const url = new URL('http://host')
  url.pathname = secret
  url.search = `?${secret}`
  url.hash = `#${secret}`
  return [
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice(1),
    url.pathname.slice(1),
    url.search.slice(1),
    url.hash.slice(1),
    // The password of a URL is encoded alike, and the pair of both may be one secret.
    inUser(secret),
    secret.split(':').map(inUser).join(':'),
    // Within an address, `?` and `#` begin another part.
    ...['http://host/', 'http://host/?'].map((start) =>
      new URL(start + secret).href.slice(start.length),
    ),
  ]
}

function inUser(text: string): string {
  const url = new URL('http://host')
  url.username = text
  return url.username
}

const withSmallDigits = (shape: string) =>
  shape.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())

/** Text a database and XML can hold: no NUL, no half of a surrogate pair. */
export const sanitizeText = (text: string): string =>
  text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** The same for every string and key inside JSON; readers of results would round integers that a double changes. */
export const sanitize = (value: unknown): unknown =>
  mapJson(
    withTexts(value),
    (part) => (typeof part === 'string' ? sanitizeText(part) : part),
    sanitizeText,
  )
