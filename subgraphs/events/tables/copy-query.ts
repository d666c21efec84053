import type { Connection, Submittable } from 'pg'

/** What the driver has, and its types do not tell. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

/**
 * COPY … FROM STDIN of data that is there as a whole: statement and data are one write and one round trip. The package
 * `pg-copy-streams` takes two and four, which was a tenth of all that an ingestion costs; the database drops the data
 * of a statement that it refuses.
 */
export class CopyQuery implements Submittable {
  readonly #statement: string
  readonly #data: string
  readonly #ended = Promise.withResolvers<void>()
  /** Settles when the database has taken the data, or refused it. */
  readonly ended = this.#ended.promise

  /** @param data in the text format of COPY */
  constructor(statement: string, data: string) {
    this.#statement = statement
    this.#data = data
  }

  /** Called by the driver, as are the others. */
  submit(given: Connection): void {
    const connection = given as CopyConnection
    connection.stream.cork()
    connection.query(this.#statement)
    connection.sendCopyFromChunk(Buffer.from(this.#data))
    connection.endCopyFrom()
    connection.stream.uncork()
  }

  handleCopyInResponse(): void {}

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#ended.resolve()
  }

  handleError(error: Error): void {
    this.#ended.reject(error)
  }
}
