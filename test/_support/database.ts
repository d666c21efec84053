import { randomBytes } from 'node:crypto'
import pg from 'pg'

export interface TestDatabase {
  url: string
  /** Removes it, ending the connections that are still open. */
  drop(): Promise<void>
}

/** The database server that every integration test shares. */
export function serverUrl(): string {
  const url = process.env.TEST_DATABASE_URL
  if (!url)
    throw new Error('TEST_DATABASE_URL is unset: this test belongs in a project with a database')
  return url
}

/** A new, empty database, or a copy of `template` (which nobody may be connected to while it is copied). */
export async function createDatabase(template?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const copy = template ? ` template ${pg.escapeIdentifier(template)} strategy file_copy` : ''
  await administer(`create database ${name}${copy}`)
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`drop database if exists ${name} with (force)`) }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
