import { nameOf, type StoredTable, type Table } from './manifest.ts'

/** Between two lines about the same table. */
const EVERY_MS = 5_000
const MEGABYTE = 1_000_000

/** Lines on standard error about what was done and how fast. */
export class Progress {
  #started = performance.now()
  #reported = this.#started
  #bytes = 0

  /** Counts rows of a table on their way. */
  pass(table: Table, bytes: number): void {
    this.#bytes += bytes
    if (performance.now() - this.#reported < EVERY_MS) return
    this.#reported = performance.now()
    report('Rows copied', { table: nameOf(table), ...this.#speed() })
  }

  /** Reports a table that is done, unless it is empty; the next one begins. */
  note(event: string, { rows, ...table }: StoredTable): void {
    if (rows > 0) report(event, { table: nameOf(table), rows, ...this.#speed() })
    this.#started = performance.now()
    this.#reported = this.#started
    this.#bytes = 0
  }

  #speed(): object {
    const seconds = (performance.now() - this.#started) / 1_000
    return {
      megabytes: (this.#bytes / MEGABYTE).toFixed(1),
      seconds: seconds.toFixed(1),
      megabytesPerSecond: (this.#bytes / MEGABYTE / seconds).toFixed(1),
    }
  }
}

/** Writes `event, key=value …` to standard error. */
export function report(event: string, fields: object): void {
  const pairs = Object.entries(fields).map(([key, value]) => `${key}=${value}`)
  process.stderr.write(`${[event, pairs.join(' ')].filter(Boolean).join(', ')}\n`)
}
