/** Replaces secrets wherever they appear, in text and inside JSON. */
export interface Mask {
  text(text: string): string
  /** The same JSON with every string (keys too) masked, and numbers that read like a secret. */
  value(value: unknown): unknown
}

const STARS = '***'
/** Masking a shorter password would leave no text readable, and gain nothing against a guess. */
const MIN_LENGTH = 4

/** A mask for the password of host credentials, also in the shapes it travels in: Base64, percent-encoded, JSON. */
export function createMask(credentials?: { userId: string; password: string }): Mask {
  const { userId = '', password = '' } = credentials ?? {}
  const shapes = password.length < MIN_LENGTH ? [] : shapesOf(userId, password)
  const text = (given: string) =>
    shapes.reduce((masked, shape) => masked.replaceAll(shape, STARS), given)
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given)
    if (Array.isArray(given)) return given.map(value)
    if (typeof given === 'object' && given !== null) {
      return Object.fromEntries(
        Object.entries(given).map(([key, held]) => [text(key), value(held)]),
      )
    }
    return shapes.includes(String(given)) ? STARS : given
  }
  return { text, value }
}

/** The longest first, so that no shape leaves the rest of another behind. */
const shapesOf = (userId: string, password: string): string[] =>
  [
    password,
    encodeWell(password),
    JSON.stringify(password).slice(1, -1),
    base64(password),
    base64(`${userId}:${password}`),
  ].sort((a, b) => b.length - a.length)

const base64 = (text: string) => Buffer.from(text).toString('base64')

const encodeWell = (text: string) => encodeURIComponent(text.toWellFormed())
