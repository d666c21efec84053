import { MAX_DIGITS } from '../../formats/json/exact-number.ts'
import { parseExact } from '../../formats/json/json.ts'
import { type Condition, join, type Lookup, type Searched } from './condition.ts'
import { wholeDays } from './days.ts'
import type { Bound, Word } from './query.ts'
import { wordsBetween } from './ranks.ts'
import { readTime, TIME_EXPECTED } from './time.ts'
import { normalizePattern, normalizeWord } from './words.ts'

/** Characters of a property's name that the tables of numbers hold: an index has no room for more. */
export const NUMBER_KEY_LENGTH = 200

/** Whose rows a query reads: `event` and `raw` are the names that the statements give to their tables. */
export type Table = 'event' | 'raw'

/** Comparison of a field. Undefined where the value cannot be one of the field's. */
export interface Field {
  /** Values that it is compared with, for the error message about another one. */
  expects?: string
  equals(word: Word): Condition | undefined
  between(from: Bound, to: Bound): Condition | undefined
}

const condition = (sql: string, ...parameters: unknown[]): Condition => ({ sql, parameters })

export const inSearched = (searched: Searched, { sql, parameters }: Condition) => ({
  searched,
  sql,
  parameters,
})

/** Free text: contains the word, in any case. */
export const textField = (column: string): Field => ({
  equals: ({ text, like }) => {
    const pattern = `%${like ?? text.replaceAll(/[\\%_]/g, '\\$&')}%`
    return found(condition(`${column} ilike ?`, pattern), wordsLike(pattern))
  },
  between: (from, to) => compare({ sql: column }, from, to, String),
})

/**
 * One word: equal to it, or like it where it has wildcards.
 * @param name in the content of the search tables @param words that are known in any case
 */
export const wordField = (column: string, name: string, words: readonly string[] = []): Field => ({
  equals({ text, like }) {
    if (like !== null) return found(likeWord(column, like, words), wordLike(name, like))
    const word = normalizeWord(words, text)
    return found(condition(`${column} = ?`, word), contains({ [name]: word }))
  },
  between: (from, to) => compare({ sql: column }, from, to, String),
})

/**
 * One word of several that have a rank: they are compared by it. Other words are in no range with a bound.
 * @param words in rising order
 */
export const rankedField = (column: string, name: string, words: readonly string[]): Field => {
  const field = wordField(column, name, words)
  return {
    ...field,
    expects: `the order is ${words.join(' < ')}`,
    between(from, to) {
      if (from.text === null && to.text === null) return field.between(from, to)
      const within = wordsBetween(words, from, to)
      return within && oneOf(column, name, within)
    },
  }
}

function oneOf(column: string, name: string, words: readonly string[]): Condition {
  const lookups = words.map(() => CONTAINS).join(' or ') || 'false'
  const contents = words.map((word) => JSON.stringify({ [name]: word }))
  return found(
    condition(`${column} = any (?::text[])`, words),
    inSearched('search', condition(`(${lookups})`, ...contents)),
  )
}

function likeWord(column: string, like: string, words: readonly string[]): Condition {
  const asSent = condition(`${column} like ?`, like)
  if (words.length === 0) return asSent
  const isKnown = condition(`${column} in (${words.map(() => '?').join(', ')})`, ...words)
  const known = join('and', [isKnown, condition(`${column} like ?`, normalizePattern(like))])
  return join('or', [asSent, known])
}

/** A column of whole numbers. @param searched the same in the search tables */
export const numberField = (column: string, searched?: string): Field => ({
  equals: ({ text, like }) => {
    if (like !== null) return text === '*' ? condition(`${column} is not null`) : undefined
    const bound = { text, isIncluded: true }
    return numberField(column, searched).between(bound, bound)
  },
  between: (from, to) =>
    compareAlso(searched, (each) =>
      compare({ sql: each ?? column, cast: '::bigint' }, from, to, (text) =>
        isWhole(text) ? text : undefined,
      ),
    ),
})

/** Points in time. A date alone is the whole day. @param searched the same in the search tables */
export const timeField = (column: string, searched?: string): Field => ({
  expects: TIME_EXPECTED,
  equals: ({ text, like }) => {
    if (like !== null) return text === '*' ? condition(`${column} is not null`) : undefined
    const bound = { text, isIncluded: true }
    return timeField(column, searched).between(bound, bound)
  },
  between: (from, to) => {
    const [since, until] = wholeDays(from, to)
    return compareAlso(searched, (each) =>
      compare({ sql: each ?? column, cast: '::timestamptz' }, since, until, (text) =>
        readTime(text)?.toISOString(),
      ),
    )
  },
})

/** A list of words in JSON: one of them is it. */
export const listField = (column: string, name: string): Field => ({
  equals({ text, like }) {
    if (like === null)
      return found(
        condition(`${column} @> ?::jsonb`, JSON.stringify([text])),
        contains({ [name]: [text] }),
      )
    const item = `exists (select from jsonb_array_elements_text(${column}) as item where item like ?)`
    return found(condition(item, like), wordsLike(line(like)))
  },
  between: () => undefined,
})

/** A value of a JSON object under one of its own keys. A number is equal to its text. */
export const keyField = (column: string, key: string): Field => {
  const hasKey = contains({ keys: [key] })
  return {
    equals: ({ text, like }) => {
      if (like !== null) return found(condition(`${column} ->> ?::text like ?`, key, like), hasKey)
      const values = isJsonScalar(text) ? [text, parseExact(text)] : [text]
      const sql = values.map(() => `${column} @> ?::jsonb`).join(' or ')
      const objects = values.map((value) => ({ [key]: value }))
      return found(
        condition(`(${sql})`, ...objects.map((object) => JSON.stringify(object))),
        inSearched(
          'search',
          condition(
            `(${values.map(() => CONTAINS).join(' or ')})`,
            ...objects.map((properties) => JSON.stringify({ properties })),
          ),
        ),
      )
    },
    between: (from, to) => {
      if (![from, to].every(({ text }) => text === null || isNumber(text))) return undefined
      const range = (sql: string, parameters?: unknown[]) =>
        compare({ sql, cast: '::numeric', ...(parameters && { parameters }) }, from, to, String)
      const within = (object: string) =>
        range(
          `(case when jsonb_typeof(${object} -> ?::text) = 'number' then (${object} ->> ?::text)::numeric end)`,
          [key, key],
        )
      const exact = within(column)
      const looked = range('number.value')
      const ofContent = within("(search.content -> 'properties')")
      return exact && looked && found(exact, { ...ofNumbers(key, looked), ofContent })
    },
  }
}

const found = (exact: Condition, lookup: Lookup | undefined): Condition =>
  lookup ? { ...exact, lookup } : exact

const CONTAINS = 'search.content @> ?::jsonb'
const contains = (content: object): Lookup =>
  inSearched('search', condition(CONTAINS, JSON.stringify(content)))

const ofNumbers = (key: string, { sql, parameters }: Condition) =>
  inSearched(
    'number',
    condition(
      `number.key = ? and ${sql}`,
      [...key].slice(0, NUMBER_KEY_LENGTH).join(''),
      ...parameters,
    ),
  )

/**
 * Words are looked up by three letters or digits in a row; a pattern without them finds everything.
 * @param pattern of all that is looked through, not of one word
 */
function wordsLike(pattern: string): Lookup | undefined {
  const plain = pattern.replaceAll(/\\./g, ' ')
  if (!/[\p{L}\p{N}]{3}|\n[\p{L}\p{N}]/u.test(plain)) return undefined
  const words = plain.match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return {
    ...inSearched('search', containsText(pattern)),
    words: words.map((word) => containsText(`%${word}%`)),
  }
}

const containsText = (pattern: string): Condition => condition('search.words ilike ?', pattern)

/** Fields whose beginnings have an index of their own: they have too many values for the one on three letters. */
const BEGINNINGS: ReadonlySet<string> = new Set(['ref'])

/** Characters of them that the index holds. */
const BEGINNING = 200

function wordLike(name: string, pattern: string): Lookup | undefined {
  const [begin = ''] = /^(?:\\.|[^\\%_])*/su.exec(pattern) ?? []
  if (!BEGINNINGS.has(name) || begin === '') return wordsLike(line(pattern))
  const characters = begin.match(/\\.|[^\\]/gsu) ?? []
  const beginning = `${characters.slice(0, BEGINNING).join('')}%`
  const begins = condition(`left(search.content ->> '${name}', ${BEGINNING}) like ?`, beginning)
  return inSearched('search', begins)
}

/** A pattern of a whole word among others: each stands on a line of its own, and how it begins is looked up by less. */
const line = (pattern: string): string =>
  pattern.startsWith('%') ? `${pattern}%` : `%\n${pattern}%`

/** A comparison of a column, and the same of its copy in the search tables. */
function compareAlso(
  searched: string | undefined,
  compareWith: (column: string | undefined) => Condition | undefined,
): Condition | undefined {
  const exact = compareWith(undefined)
  const same = searched === undefined ? undefined : compareWith(searched)
  return exact && found(exact, same && inSearched('found', same))
}

interface Compared {
  sql: string
  parameters?: unknown[]
  /** Type of what it is compared with. */
  cast?: string
}

/** @param read a bound as the column's type has it; undefined where it cannot be one */
function compare(
  { sql: column, parameters: columnParameters = [], cast = '' }: Compared,
  from: Bound,
  to: Bound,
  read: (text: string) => string | undefined,
): Condition | undefined {
  const parts: Condition[] = []
  for (const [bound, sign] of [
    [from, '>'],
    [to, '<'],
  ] as const) {
    if (bound.text === null) continue
    const value = read(bound.text)
    if (value === undefined) return undefined
    const operator = bound.isIncluded ? `${sign}=` : sign
    parts.push(condition(`${column} ${operator} ?${cast}`, ...columnParameters, value))
  }
  if (parts.length === 0) return condition(`${column} is not null`, ...columnParameters)
  return condition(
    parts.map(({ sql }) => sql).join(' and '),
    ...parts.flatMap(({ parameters }) => parameters),
  )
}

const FRACTION = `(\\.\\d{1,${MAX_DIGITS}})?([eE][+-]?\\d{1,3})?`
const NUMBER = new RegExp(`^[+-]?\\d{1,${MAX_DIGITS}}${FRACTION}$`)
const JSON_SCALAR = new RegExp(`^(-?(0|[1-9]\\d{0,${MAX_DIGITS}})${FRACTION}|true|false)$`)

const isNumber = (text: string): boolean => NUMBER.test(text)
const isWhole = (text: string): boolean => /^[+-]?\d{1,18}$/.test(text)
export const isJsonScalar = (text: string): boolean => JSON_SCALAR.test(text)
