import type { JsonSchema } from './tool-schemas.ts'

/** A text or list of a result that is not there as a whole. */
export interface Cut {
  /** Keys and places, with dots between them. */
  path: string
  /** The first character or item that is missing, and how many there are. */
  from: number
  of: number
}

/** A value in a result, and what is known of it. */
export interface Described {
  value: unknown
  schema: JsonSchema | undefined
}

/** Characters of a text, eight for each item of a list; tried in turn until the result fits. */
const LEVELS = [Number.POSITIVE_INFINITY, 8_000, 4_000, 2_000, 1_000, 500, 200, 100, 40, 8]

/**
 * Cuts long texts and lists until the JSON of a value has at most `max` characters. The shape stays: clients check it.
 * Cuts a value that no schema describes as the text of its JSON.
 * @param at where the value belongs in the whole, and from which character or item on it is wanted
 * @returns undefined where nothing fits
 */
export function bounded(
  value: unknown,
  schema: JsonSchema | undefined,
  max: number,
  at: { path: string; from: number } = { path: '', from: 0 },
): { value: unknown; cuts: Cut[] } | undefined {
  for (const level of LEVELS) {
    const cuts: Cut[] = []
    const part = cut(value, { schema, level, cuts, ...at })
    if (JSON.stringify([part, cuts]).length <= max) return { value: part, cuts }
  }
  return undefined
}

interface Place {
  schema: JsonSchema | undefined
  level: number
  cuts: Cut[]
  path: string
  from: number
}

function cut(value: unknown, place: Place): unknown {
  const { schema, level, cuts, path, from } = place
  if (Array.isArray(value) && schema?.items) {
    const kept = value.slice(from, from + Math.ceil(level / 8))
    note(cuts, { path, from: from + kept.length, of: value.length })
    return kept.map((item, index) =>
      cut(item, { ...place, schema: schema.items, path: below(path, from + index), from: 0 }),
    )
  }
  if (schema?.properties && typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        key,
        cut(each, { ...place, schema: schema.properties?.[key], path: below(path, key), from: 0 }),
      ]),
    )
  const text = textOf(value)
  if (text === undefined || (from === 0 && text.length <= level)) return value
  const end = from + level
  // Half of a pair of surrogates is no character.
  const to = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : Math.min(end, text.length)
  note(cuts, { path, from: to, of: text.length })
  return text.slice(from, to)
}

const below = (path: string, key: string | number): string => (path ? `${path}.${key}` : `${key}`)

const note = (cuts: Cut[], each: Cut): void => {
  if (each.from < each.of) cuts.push(each)
}

/** @returns undefined for single values, which are never cut */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : undefined
}

/** The value at a path of `Cut`; undefined where there is none. */
export function valueAt({ value, schema }: Described, path: string): Described | undefined {
  const [key = '', ...rest] = path.split('.')
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  const inner = (value as Record<string, unknown>)[key] // it has the key
  const found = { value: inner, schema: schema?.items ?? schema?.properties?.[key] }
  return rest.length > 0 ? valueAt(found, rest.join('.')) : found
}
