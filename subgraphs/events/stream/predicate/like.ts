/** Literal text, or any one character. */
type Token = string | null

/** Longer texts and segments with wildcards are compared by the database: each place of the text costs a whole segment. */
const MAX_COMPARISONS = 2 ** 20

/**
 * A pattern of PostgreSQL's LIKE: `%` any text, `_` any character, `\` before what stands for itself. What stands
 * between two `%` is looked for from the left to the right and never again, so no pattern takes exponential time.
 * @returns undefined where that would take too long here
 */
export function likeOf(pattern: string): (text: string) => boolean | undefined {
  const segments = segmentsOf(pattern)
  const first = segments[0] ?? []
  const last = segments.at(-1) ?? []
  if (segments.length === 1) return (text) => endAt(first, text, 0) === text.length
  const middle = segments.slice(1, -1)
  const sizes = middle.map((segment) => (segment.length > 1 ? sizeOf(segment) : 0))
  const size = sizes.reduce((sum, each) => sum + each, 0)
  return (text) => {
    if (size * text.length > MAX_COMPARISONS) return undefined
    let at = endAt(first, text, 0)
    for (const segment of middle) if (at >= 0) at = findEnd(segment, text, at)
    if (at < 0) return false
    const from = startBefore(last, text)
    return from >= at && endAt(last, text, from) === text.length
  }
}

/** Segments between two `%`. */
function segmentsOf(pattern: string): Token[][] {
  const segments: Token[][] = [[]]
  const add = (token: Token) => {
    const segment = segments.at(-1) ?? []
    const before = segment.at(-1)
    if (typeof token === 'string' && typeof before === 'string') segment.push(segment.pop() + token)
    else segment.push(token)
  }
  for (const [token] of pattern.matchAll(/\\?./gsu)) {
    if (token === '%') segments.push([])
    else add(token === '_' ? null : token.replace(/^\\/u, '') || '\\')
  }
  return segments
}

const sizeOf = (segment: readonly Token[]): number =>
  segment.reduce((sum, token) => sum + (token?.length ?? 1), 0)

/** @returns where a segment ends that begins at a place; -1 where it does not */
function endAt(segment: readonly Token[], text: string, from: number): number {
  let at = from
  for (const token of segment) {
    if (token === null) {
      if (at >= text.length) return -1
      at += widthAt(text, at)
    } else {
      if (!text.startsWith(token, at)) return -1
      at += token.length
    }
  }
  return at
}

/** @returns where a segment ends that begins first behind a place; -1 without one */
function findEnd(segment: readonly Token[], text: string, from: number): number {
  const [token] = segment
  if (token === undefined) return from
  for (let at = from; at <= text.length; at += widthAt(text, at)) {
    if (token !== null) {
      at = text.indexOf(token, at)
      if (at < 0) return -1
    }
    const end = endAt(segment, text, at)
    if (end >= 0) return end
  }
  return -1
}

/** @returns where a segment begins that ends with the text; -1 where the text is too short */
function startBefore(segment: readonly Token[], text: string): number {
  let at = text.length
  for (const token of segment.toReversed()) {
    if (token !== null) at -= token.length
    else if (at > 0) at -= /[\uDC00-\uDFFF]/.test(text.charAt(at - 1)) ? 2 : 1
    else return -1
  }
  return at
}

const widthAt = (text: string, at: number): number =>
  (text.codePointAt(at) ?? 0) > 0xff_ff ? 2 : 1
