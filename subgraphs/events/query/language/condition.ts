/** A condition in SQL, with `?` for each parameter. */
export interface Condition {
  sql: string
  parameters: unknown[]
  /** A condition on `search`, a row of the search tables, that holds wherever this one does. */
  lookup?: Condition
}

/**
 * All conditions as a WHERE clause with `$1`…
 * @param before how many parameters the statement has besides
 */
export function whereAll(conditions: readonly Condition[], before = 0): Condition {
  if (conditions.length === 0) return { sql: '', parameters: [] }
  let number = before
  return {
    sql: `where ${conditions.map(({ sql }) => sql).join(' and ')}`.replaceAll(
      '?',
      () => `$${++number}`,
    ),
    parameters: conditions.flatMap(({ parameters }) => parameters),
  }
}
