import { LRUCache } from 'lru-cache'
import type { Copy } from './copy-query.ts'

/** A column that rows are written to: its type, and its value as PostgreSQL's text. */
export interface Column<Row> {
  name: string
  type: string
  textOf(row: Row): string | null
}

type Read<Row, Value> = (row: Row) => Value | null | undefined

/** Columns by type. @param read the value of a row; nothing is stored as null */
export const text = <Row>(name: string, read: Read<Row, string>): Column<Row> =>
  column(name, 'text', read)

export const uuid = <Row>(name: string, read: Read<Row, string>): Column<Row> =>
  column(name, 'uuid', read)

export const json = <Row>(name: string, read: Read<Row, unknown>): Column<Row> =>
  column(name, 'jsonb', (row) => jsonOf(read(row)))

export const time = <Row>(name: string, read: Read<Row, Date>): Column<Row> =>
  column(name, 'timestamptz', (row) => textOfTime(read(row)))

export const number = <Row>(name: string, read: Read<Row, number>): Column<Row> =>
  column(name, 'bigint', (row) => read(row)?.toString())

export const flag = <Row>(name: string, read: Read<Row, boolean>): Column<Row> =>
  column(name, 'boolean', (row) => read(row)?.toString())

/**
 * Rows to append to a table. It takes the database less than half the time of an insert, which parses values one by one
 * and stores rows one by one.
 */
export function copyOf<Row>(
  table: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Copy[] {
  if (rows.length === 0) return []
  const names = columns.map(({ name }) => name).join()
  return [{ statement: `copy ${table} (${names}) from stdin`, data: copyText(columns, rows) }]
}

function copyText<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  let lines = ''
  for (const row of rows) {
    let separator = ''
    for (const { textOf } of columns) {
      const value = textOf(row)
      lines += separator + (value === null ? '\\N' : escaped(value))
      separator = '\t'
    }
    lines += '\n'
  }
  return lines
}

/** Rows as a FROM item with a parameter for each column: `arraysOf` makes these. @param first number of the first one */
export const unnest = (columns: readonly Column<never>[], first = 1): string =>
  `unnest(${columns.map(({ type }, at) => `$${first + at}::${type}[]`).join()}) as row(${columns.map(({ name }) => name).join()})`

/** A parameter for each column: PostgreSQL's text of an array. The driver's own takes several times as long. */
export const arraysOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] =>
  columns.map(({ textOf }) => {
    let items = ''
    for (const row of rows) {
      const value = textOf(row)
      items += `${items && ','}${value === null ? 'null' : `"${quoted(value)}"`}`
    }
    return `{${items}}`
  })

function column<Row>(name: string, type: string, read: Read<Row, string>): Column<Row> {
  return { name, type, textOf: (row) => read(row) ?? null }
}

/** Most rows of a transaction share a few times, and to write one takes longer than the rest of a row. */
const timeTexts = new LRUCache<number, string>({ max: 256 })

function textOfTime(time: Date | null | undefined): string | null {
  if (!time) return null
  const known = timeTexts.get(time.getTime())
  if (known !== undefined) return known
  const made = time.toISOString()
  timeTexts.set(time.getTime(), made)
  return made
}

const jsonOf = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)

const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const escaped = (value: string): string =>
  SPECIAL.test(value) ? value.replaceAll(/[\\\t\n\r]/g, (sign) => ESCAPES[sign] ?? sign) : value

const quoted = (value: string): string =>
  /[\\"]/.test(value) ? value.replaceAll(/[\\"]/g, '\\$&') : value
