import type { Connection, Submittable } from 'pg'

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
