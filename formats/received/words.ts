export type Severity = 'CRITICAL' | 'ERROR' | 'WARN' | 'INFO'
export type Status = 'OPEN' | 'CLOSED' | 'ACKNOWLEDGED' | 'OK'

/** Words of a sender → ours. */
export type Words<Ours> = Readonly<Record<string, Ours>>

/** Writes a table of words the other way round: ours, and those of the sender that mean it. */
export const words = <Ours extends string>(table: Readonly<Partial<Record<Ours, string>>>) =>
  Object.fromEntries(
    Object.entries<string | undefined>(table).flatMap(([ours, theirs = '']) =>
      theirs.split(' ').map((word) => [word, ours]),
    ),
  ) as Words<Ours> // the keys of the table

/** Severity of a word in any case: WARN for one that is unknown, INFO for none. */
export function severityOf(word: string | undefined, table: Words<Severity>): Severity {
  if (word === undefined) return 'INFO'
  const lower = word.trim().toLowerCase()
  return Object.hasOwn(table, lower) ? (table[lower] ?? 'WARN') : 'WARN'
}

/** Severity by the number that OpenTelemetry and CloudEvents share; undefined for a number of neither. */
export function severityOfNumber(number: number): Severity | undefined {
  if (!(number >= 1 && number <= 24)) return undefined
  if (number < 13) return 'INFO'
  if (number < 17) return 'WARN'
  return number < 21 ? 'ERROR' : 'CRITICAL'
}
