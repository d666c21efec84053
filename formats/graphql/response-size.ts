/** Used where nothing else is configured. OPERATION_MAX_RESPONSE */
export const MAX_RESPONSE = 32 * 2 ** 20

/** Refusal of a response that would be larger than it may be. */
export const responseTooLarge = (maxResponse: number) =>
  [
    'OPERATION_LIMIT_EXCEEDED',
    `The response has more than ${maxResponse} characters; OPERATION_MAX_RESPONSE allows no more. Ask for fewer or smaller fields, or for a page at a time, or have the operator raise the limit.`,
  ] as const

/**
 * Characters of a value as JSON: those of its texts and keys, as if nothing in them were escaped, and about as many as
 * the rest has. A text that stands in several places counts in each.
 * @param atMost beyond it, counting ends
 */
export function charactersIn(value: unknown, atMost = Number.POSITIVE_INFINITY): number {
  let characters = 0
  // Values may be nested deeper than calls may be.
  const containers: object[] = []
  const count = (next: unknown): void => {
    if (typeof next === 'string') characters += next.length + OF_MARKS
    else if (isContainer(next)) containers.push(next)
    else characters += OF_OTHERS
  }
  count(value)
  while (characters <= atMost) {
    const container = containers.pop()
    if (!container) break
    characters += OF_MARKS
    // A number with all its digits writes itself.
    if ('toJSON' in container && typeof container.toJSON === 'function')
      characters += String(container).length
    else if (Array.isArray(container)) for (const item of container) count(item)
    else
      for (const key in container) {
        characters += key.length + OF_MARKS
        count((container as Record<string, unknown>)[key])
      }
  }
  return characters
}

/** Quotes and a comma or colon. */
export const OF_MARKS = 3
/** A number, a truth or null, with its comma. */
export const OF_OTHERS = 5

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Key under which data hold their size: each garbage collection would look through a map of them. */
const CHARACTERS = Symbol('characters')

/** Remembers how many characters the data of an answer have. */
export function noteCharacters(data: unknown, characters: number): void {
  if (isContainer(data)) Object.defineProperty(data, CHARACTERS, { value: characters })
}

/** Remembered size of data; unbounded where there is none. */
export const notedCharacters = (data: { [CHARACTERS]?: number }): number =>
  data[CHARACTERS] ?? Number.POSITIVE_INFINITY
