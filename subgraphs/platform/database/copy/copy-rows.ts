import type { Connection, Submittable } from 'pg'

/** What binary data begins with: its signature, no flags, and a header of no length. */
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
export class CopyRows {
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

/** A method of the driver that its types omit. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/** COPY … FROM STDIN, with its data in the format that the statement says. */
export interface Copy {
  statement: string
  data: Buffer
}

/**
 * Several COPY of data that is there as a whole, and a query behind them: all is one write and one round trip, in which
 * a transaction waits for this process only once. The package `pg-copy-streams` takes two and four for each, which was a
 * tenth of all that an ingestion costs. After a statement that the database refuses it drops the others and their data.
 */
export class CopyQuery implements Submittable {
  readonly #copies: readonly Copy[]
  readonly #query: string
  readonly #ended = Promise.withResolvers<string>()
  #value = ''
  /** The first value of the query: settles when the database has taken all, or refused some of it. */
  readonly ended = this.#ended.promise

  constructor(copies: readonly Copy[], query: string) {
    this.#copies = copies
    this.#query = query
  }

  /** Called by the driver, as are the others. */
  submit(given: Connection): void {
    const connection = given as CopyConnection
    connection.stream.cork()
    connection.query([...this.#copies.map(({ statement }) => statement), this.#query].join('; '))
    for (const { data } of this.#copies) {
      connection.sendCopyFromChunk(data)
      connection.endCopyFrom()
    }
    connection.stream.uncork()
  }

  handleCopyInResponse(): void {}

  handleRowDescription(): void {}

  handleDataRow({ fields: [value] }: { fields: string[] }): void {
    this.#value = value ?? ''
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#ended.resolve(this.#value)
  }

  handleError(error: Error): void {
    this.#ended.reject(error)
  }
}
