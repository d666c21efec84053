/** A condition in SQL, with `?` for each parameter. */
export interface Condition {
  sql: string
  parameters: unknown[]
  /** Holds for a row of the search tables wherever this condition does. */
  lookup?: Lookup
}

/** Lookup of rows: by one condition, or by several. */
export type Lookup = LookedUp | { operator: Operator; parts: readonly Lookup[] }

/** Names of tables that are looked up: a content, a number, a row itself by its times, or the event of a raw event. */
export type Searched = 'search' | 'number' | 'found' | 'whole'

interface LookedUp extends Condition {
  searched: Searched
  /** Conditions that hold wherever it does, too: one for each of its words. */
  words?: readonly Condition[]
  /** The same as a condition on the content that has the number: it narrows contents that are looked up by another one. */
  ofContent?: Condition
}

export type Operator = 'and' | 'or'

export function join(operator: Operator, conditions: readonly Condition[]): Condition {
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(` ${operator} `)})`,
    parameters: conditions.flatMap(({ parameters }) => parameters),
  }
}

/**
 * All conditions as a WHERE clause with `$1`…
 * @param before how many parameters the statement has besides
 */
export const whereAll = (conditions: readonly Condition[], before = 0): Condition =>
  numbered(clauseOf(conditions), before)

/** All conditions as a WHERE clause, still with `?`. */
export const clauseOf = (conditions: readonly Condition[]): Condition => ({
  sql: conditions.length > 0 ? `where ${conditions.map(({ sql }) => sql).join(' and ')}` : '',
  parameters: conditions.flatMap(({ parameters }) => parameters),
})

/** The same with `$1`… for `?`. @param before how many parameters the statement has besides */
export function numbered({ sql, parameters }: Condition, before = 0): Condition {
  let number = before
  return { sql: sql.replaceAll('?', () => `$${++number}`), parameters }
}
