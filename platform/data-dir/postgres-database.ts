import pg from 'pg'
import { errorCode } from './error-code.ts'

/** Creates the database unless it exists; `url` is another database of the same server. */
export async function ensureDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  } catch (error) {
    if (errorCode(error) === '28P01') {
      throw new Error(
        'The database was created with other keys: restore the keys.json that belongs to it. Removing the data folder loses all data.',
      )
    }
    throw error
  } finally {
    await client.end()
  }
}
