/** Kinds of failed transactions, by how to go on. */
export type Failure = 'transient' | 'data' | 'unknown'

/**
 * SQLSTATE classes and codes after which the same transaction may succeed. A running process has signed in before: a
 * refused login (28…), a database that is gone (3D000) or takes no connections (55000) is one that somebody works on.
 */
const TRANSIENT =
  /^(08...|28...|3D000|40001|40P01|53...|55000|55P03|57P0[1-5]|57014|58...|25006|XX000)$/
/** SQLSTATE classes that blame the rows: data exceptions, violated constraints, exceeded limits. */
const DATA = /^(22|23|54)/
const NETWORK = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
])
/** pg reports a lost connection by its message alone. */
const CONNECTION_LOST =
  /connection.*(terminated|ended|closed|timeout)|timeout.*connect|not queryable/i

/** True if a table has changed, and with it the columns of a prepared statement (FEATURE_NOT_SUPPORTED). */
export const isOutdatedPlan = ({ code }: { code?: string | undefined }): boolean => code === '0A000'

/** Pause of a reader that rides through a lost database until its next look. */
export const DATABASE_AWAY_MS = 500

/** Lets a reader ride through a lost database. @returns undefined while it is away */
export async function unlessAway<Read>(read: () => Promise<Read>): Promise<Read | undefined> {
  try {
    return await read()
  } catch (error) {
    if (failureOf(error) === 'transient') return undefined
    throw error
  }
}

/** Judges an error of the database driver, or of an ORM or the job queue around it. */
export function failureOf(error: unknown): Failure {
  if (typeof error !== 'object' || error === null) return 'unknown'
  // The job queue copies errors into plain objects.
  const { code, message, cause } = error as { code?: unknown; message?: unknown; cause?: unknown }
  if (typeof code === 'string' && (NETWORK.has(code) || TRANSIENT.test(code))) return 'transient'
  if (typeof code === 'string' && DATA.test(code)) return 'data'
  if (typeof message === 'string' && CONNECTION_LOST.test(message)) return 'transient'
  return failureOf(cause)
}
