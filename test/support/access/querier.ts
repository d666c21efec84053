import pg from 'pg'

/** Looks into a database from beside. */
export function querier(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 1 })
  pool.on('error', () => {})
  return {
    query: async (statement: string): Promise<object[]> => (await pool.query(statement)).rows,
    close: () => pool.end(),
  }
}
