import { LRUCache } from 'lru-cache'
import pg from 'pg'

/** Statements that are kept prepared. */
const PREPARED = 200
/** Statements whose uses are counted. */
const COUNTED = 1_000
/** What is used less often, such as a statement of a migration, is not worth keeping. */
const PREPARED_AT_USE = 3
/** FEATURE_NOT_SUPPORTED: a table has changed, and with it what a prepared statement selects. */
const STALE = '0A000'

/** For all connections of this process, so that a text has one name. */
const uses = new LRUCache<string, number>({ max: COUNTED })
const names = new Map<string, string>()
let named = 0

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known || names.size >= PREPARED) return known
  const used = (uses.get(text) ?? 0) + 1
  uses.set(text, used)
  if (used < PREPARED_AT_USE) return undefined
  names.set(text, `assay-${++named}`)
  return names.get(text)
}

/** A text without values may be several statements, which cannot be prepared, or a mere `begin`. */
const isWorthIt = (text: string, values: unknown): boolean =>
  Array.isArray(values) && (values.length > 0 || (/^\s*with\b/i.test(text) && !text.includes(';')))

/** For a pooler that gives a connection to each transaction: the next one may be another, without the statement. */
export class UnpreparedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: a dozen signatures, of which one is changed
  override query(statement: any, values?: any, callback?: Callback): any {
    const unnamed = isNamed(statement) ? { ...statement, name: undefined } : statement
    return super.query(unnamed, values, callback as Callback)
  }
}

const isNamed = (statement: unknown): statement is { name: string } =>
  typeof statement === 'object' &&
  statement !== null &&
  'name' in statement &&
  !('submit' in statement)

type Callback = (error: Error, result: pg.QueryResult) => void

/**
 * A connection on which the database parses a statement once, and plans it once where one plan fits all parameters; that
 * is most of what a short statement costs. For statements of few texts: what comes after the first 200 is not prepared.
 */
export class PreparedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: a dozen signatures, of which one is changed
  override query(text: any, values?: any, callback?: Callback): any {
    const name = typeof text === 'string' && isWorthIt(text, values) ? nameOf(text) : undefined
    if (!name) return super.query(text, values, callback as Callback)
    const forgetStale = (error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === STALE) names.delete(text)
    }
    const statement = { name, text, values }
    if (callback)
      return super.query(statement, (error: Error, result: pg.QueryResult) => {
        forgetStale(error)
        callback(error, result)
      })
    return super.query(statement).catch((error: unknown) => {
      forgetStale(error)
      throw error
    })
  }
}
