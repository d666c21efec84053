import { readCreatedAt } from '../../ingestion/created-at.ts'
import { normalizeWord, SEVERITIES, STATUSES } from '../../ingestion/words.ts'
import type { Condition } from './condition.ts'
import type { Bound, Word } from './query.ts'

/** Whose rows a query reads: `event` and `raw` are the names that the statements give to their tables. */
export type Table = 'event' | 'raw'

/** How a field is compared. Undefined where the value cannot be one of the field's. */
export interface Field {
  equals(word: Word): Condition | undefined
  between(from: Bound, to: Bound): Condition | undefined
}

const condition = (sql: string, ...parameters: unknown[]): Condition => ({ sql, parameters })

/** Free text: contains the word, in any case. */
export const textField = (column: string): Field => ({
  equals: ({ text, like }) =>
    condition(`${column} ilike ?`, `%${like ?? text.replaceAll(/[\\%_]/g, '\\$&')}%`),
  between: (from, to) => compare(column, from, to, String),
})

/** One word: equal to it, or like it where it has wildcards. */
export const wordField = (column: string, words: readonly string[] = []): Field => ({
  equals: ({ text, like }) =>
    like === null
      ? equalWord(column, normalizeWord(words, text))
      : condition(`${column} like ?`, like),
  between: (from, to) => compare(column, from, to, String),
})

/** Words of any length are kept, but an index holds only short ones: it covers their beginnings. */
const equalWord = (column: string, word: string): Condition =>
  condition(`(left(${column}, 64) = left(?, 64) and ${column} = ?)`, word, word)

export const severityField = (column: string): Field => wordField(column, SEVERITIES)
export const statusField = (column: string): Field => wordField(column, STATUSES)

/** A column of whole numbers. */
export const numberField = (column: string): Field => ({
  equals: ({ text, like }) => {
    if (like !== null) return text === '*' ? condition(`${column} is not null`) : undefined
    const bound = { text, isIncluded: true }
    return numberField(column).between(bound, bound)
  },
  between: (from, to) =>
    compare(column, from, to, (text) => (isWhole(text) ? text : undefined), '::bigint'),
})

/** Points in time. A date alone is the whole day. */
export const timeField = (column: string): Field => ({
  equals: ({ text, like }) => {
    if (like !== null) return text === '*' ? condition(`${column} is not null`) : undefined
    const bound = { text, isIncluded: true }
    return timeField(column).between(bound, bound)
  },
  between: (from, to) => {
    const isDay = to.text !== null && to.isIncluded && DAY.test(to.text)
    const until = isDay ? { text: nextDay(to.text ?? ''), isIncluded: false } : to
    return compare(
      column,
      from,
      until,
      (text) => readCreatedAt(text)?.toISOString(),
      '::timestamptz',
    )
  },
})

/** A list of words in JSON: one of them is it. */
export const listField = (column: string): Field => ({
  equals: ({ text, like }) =>
    like === null
      ? condition(`${column} @> ?::jsonb`, JSON.stringify([text]))
      : condition(
          `exists (select from jsonb_array_elements_text(${column}) as item where item like ?)`,
          like,
        ),
  between: () => undefined,
})

/** A value of a JSON object under one of its own keys. A number is equal to its text. */
export const keyField = (column: string, key: string): Field => ({
  equals: ({ text, like }) => {
    if (like !== null) return condition(`${column} ->> ?::text like ?`, key, like)
    const values = isJsonScalar(text) ? [text, JSON.parse(text)] : [text]
    const sql = values.map(() => `${column} @> ?::jsonb`).join(' or ')
    return condition(`(${sql})`, ...values.map((value) => JSON.stringify({ [key]: value })))
  },
  between: (from, to) => {
    if (![from, to].every(({ text }) => text === null || isNumber(text))) return undefined
    const number = `(case when jsonb_typeof(${column} -> ?::text) = 'number' then (${column} ->> ?::text)::numeric end)`
    const range = compare(number, from, to, String, '::numeric', [key, key])
    return range
  },
})

function compare(
  column: string,
  from: Bound,
  to: Bound,
  read: (text: string) => string | undefined,
  cast = '',
  columnParameters: unknown[] = [],
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

const DAY = /^\d{4}-\d\d-\d\d$/
const nextDay = (day: string): string =>
  new Date((readCreatedAt(day)?.getTime() ?? Number.NaN) + 86_400_000).toISOString()

const isNumber = (text: string): boolean => /^[+-]?\d{1,30}(\.\d{1,30})?$/.test(text)
const isWhole = (text: string): boolean => /^[+-]?\d{1,18}$/.test(text)
const isJsonScalar = (text: string): boolean =>
  /^(-?(0|[1-9]\d{0,30})(\.\d{1,30})?|true|false)$/.test(text)
