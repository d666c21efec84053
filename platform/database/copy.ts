import { LRUCache } from 'lru-cache'

/** COPY … FROM STDIN, with its data in the format that the statement says. */
export interface Copy {
  statement: string
  data: Buffer
}

/** A column that rows are written to: its type, and its value as PostgreSQL's text, or added to rows to append. */
export interface Column<Row> {
  name: string
  type: string
  textOf(row: Row): string | null
  add(row: Row, rows: CopyRows): void
}

type Read<Row, Value> = (row: Row) => Value | null | undefined

/** Makes columns of a type. @param textOf writes a value as text, `add` as data of COPY */
const columnsOf =
  <Value>(
    type: string,
    textOf: (value: Value) => string,
    add: (value: Value, rows: CopyRows) => void,
  ) =>
  <Row>(name: string, read: Read<Row, Value>): Column<Row> => ({
    name,
    type,
    textOf(row) {
      const value = read(row)
      return value === null || value === undefined ? null : textOf(value)
    },
    add(row, rows) {
      const value = read(row)
      if (value === null || value === undefined) rows.null()
      else add(value, rows)
    },
  })

/** Columns by type, each with its name and what reads its value of a row; nothing is stored as null. */
export const text = columnsOf<string>(
  'text',
  (value) => value,
  (value, rows) => rows.text(value),
)
export const uuid = columnsOf<string>(
  'uuid',
  (value) => value,
  (value, rows) => rows.uuid(value),
)
export const json = columnsOf<unknown>('jsonb', JSON.stringify, (value, rows) =>
  rows.json(JSON.stringify(value)),
)
export const time = columnsOf<Date>('timestamptz', textOfTime, (value, rows) => rows.time(value))
export const number = columnsOf<number>('bigint', String, (value, rows) => rows.bigint(value))
export const integer = columnsOf<number>('integer', String, (value, rows) => rows.integer(value))
export const flag = columnsOf<boolean>('boolean', String, (value, rows) => rows.boolean(value))

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
  return [
    {
      statement: `copy ${table} (${names}) from stdin (format binary)`,
      data: bytesOf(columns, rows),
    },
  ]
}

/** Expected size of a value, with its length. */
const EXPECTED_BYTES = 32

function bytesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Buffer {
  const copied = new CopyRows(rows.length * columns.length * EXPECTED_BYTES)
  for (const row of rows) {
    copied.beginRow(columns.length)
    for (const column of columns) column.add(row, copied)
  }
  return copied.end()
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

/** Most rows of a transaction share a few times, and to write one takes longer than the rest of a row. */
const timeTexts = new LRUCache<number, string>({ max: 256 })

function textOfTime(time: Date): string {
  const known = timeTexts.get(time.getTime())
  if (known !== undefined) return known
  const made = time.toISOString()
  timeTexts.set(time.getTime(), made)
  return made
}

const quoted = (value: string): string =>
  /[\\"]/.test(value) ? value.replaceAll(/[\\"]/g, '\\$&') : value

/** Header of binary data: its signature, no flags, and a header of no length. */
const BEGIN = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const END = [0xff, 0xff]
const NULL = -1
const JSONB_VERSION = 1
/** PostgreSQL counts microseconds from 2000 on. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const UINT32 = 2 ** 32
/** Up to here a loop is faster than the call of a native function. */
const SHORT = 24
/** Maximum bytes of UTF-8 for each UTF-16 code unit of a string. */
const MAX_BYTES = 3

/**
 * Rows in the binary format of COPY: each begins with its number of values, and each value with its length. Text takes the
 * database longer, which has to split and parse it.
 */
class CopyRows {
  #bytes: Buffer
  #length = BEGIN.length

  /** @param expected bytes; it grows where these are not enough */
  constructor(expected: number) {
    this.#bytes = Buffer.allocUnsafe(BEGIN.length + expected)
    this.#bytes.set(BEGIN)
  }

  /** Ends the rows, after which nothing may be added. */
  end(): Buffer {
    this.#reserve(END.length)
    this.#bytes.set(END, this.#length)
    return this.#bytes.subarray(0, this.#length + END.length)
  }

  beginRow(values: number): void {
    this.#reserve(2)
    this.#length = this.#bytes.writeInt16BE(values, this.#length)
  }

  null(): void {
    this.#reserve(4)
    this.#uint32(NULL >>> 0)
  }

  text(value: string): void {
    this.#reserve(4 + value.length * MAX_BYTES)
    const start = this.#length
    this.#length += 4
    this.#characters(value)
    this.#bytes.writeInt32BE(this.#length - start - 4, start)
  }

  json(value: string): void {
    this.#reserve(5 + value.length * MAX_BYTES)
    const start = this.#length
    this.#length += 4
    this.#bytes[this.#length++] = JSONB_VERSION
    this.#characters(value)
    this.#bytes.writeInt32BE(this.#length - start - 4, start)
  }

  uuid(value: string): void {
    this.#reserve(4 + 16)
    this.#uint32(16)
    for (let at = 0; at < value.length; at += 2) {
      if (value.charCodeAt(at) === HYPHEN) at++
      this.#bytes[this.#length++] = (digitAt(value, at) << 4) | digitAt(value, at + 1)
    }
  }

  time(value: Date): void {
    const us = (value.getTime() - EPOCH_MS) * 1_000
    if (Number.isSafeInteger(us)) this.bigint(us)
    else this.#distantTime(BigInt(value.getTime() - EPOCH_MS) * 1_000n)
  }

  #distantTime(us: bigint): void {
    this.#reserve(4 + 8)
    this.#uint32(8)
    this.#length = this.#bytes.writeBigInt64BE(us, this.#length)
  }

  /** @param value a safe integer */
  bigint(value: number): void {
    this.#reserve(4 + 8)
    this.#uint32(8)
    const high = Math.floor(value / UINT32)
    this.#uint32(high >>> 0)
    this.#uint32(value - high * UINT32)
  }

  integer(value: number): void {
    this.#reserve(4 + 4)
    this.#uint32(4)
    this.#uint32(value >>> 0)
  }

  boolean(value: boolean): void {
    this.#reserve(4 + 1)
    this.#uint32(1)
    this.#bytes[this.#length++] = value ? 1 : 0
  }

  #characters(value: string): void {
    if (value.length > SHORT || !this.#ascii(value))
      this.#length += this.#bytes.write(value, this.#length)
  }

  /** @returns false for other characters: then nothing counts as written */
  #ascii(value: string): boolean {
    const bytes = this.#bytes
    const start = this.#length
    for (let at = 0; at < value.length; at++) {
      const code = value.charCodeAt(at)
      if (code > 0x7f) return false
      bytes[start + at] = code
    }
    this.#length += value.length
    return true
  }

  #uint32(value: number): void {
    const bytes = this.#bytes
    bytes[this.#length++] = value >>> 24
    bytes[this.#length++] = value >>> 16
    bytes[this.#length++] = value >>> 8
    bytes[this.#length++] = value
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#length + bytes))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

const HYPHEN = 0x2d

/** The value of a hexadecimal digit: letters, of either case, are nine behind their last four bits. */
function digitAt(value: string, at: number): number {
  const code = value.charCodeAt(at)
  return (code & 0xf) + (code >> 6) * 9
}
