import type { Placed } from './interest.ts'

/** Maximum rows that a tail keeps in memory, and their approximate bytes. */
const TAIL_LIMITS = { rows: 5_000, bytes: 16 * 2 ** 20 }

/** The last rows, within limits. */
export class Kept<Row extends Placed> {
  readonly #limits: typeof TAIL_LIMITS
  #rows: { position: number; bytes: number }[] = []
  #bytes = 0

  constructor(limits = TAIL_LIMITS) {
    this.#limits = limits
  }

  /** @returns up to which position rows are dropped for it; 0 where none is */
  add(rows: readonly Row[]): number {
    for (const row of rows) {
      const bytes = bytesOf(row)
      this.#rows.push({ position: row.position, bytes })
      this.#bytes += bytes
    }
    let dropped = 0
    while (this.#rows.length - dropped > this.#limits.rows || this.#bytes > this.#limits.bytes)
      this.#bytes -= this.#rows[dropped++]?.bytes ?? 0
    return this.#rows.splice(0, dropped).at(-1)?.position ?? 0
  }

  clear(): void {
    this.#rows = []
    this.#bytes = 0
  }
}

/** Size of a value or a property, besides its text. */
const VALUE_BYTES = 16

/** About as much memory as a row takes. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length
  if (typeof value !== 'object' || value === null) return VALUE_BYTES
  let bytes = VALUE_BYTES
  for (const [key, inner] of Object.entries(value)) bytes += key.length + bytesOf(inner)
  return bytes
}
