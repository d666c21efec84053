import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Assay, startAssay } from '../_support/assay.ts'
import { createDatabase } from '../_support/database.ts'
import { checkAt } from './row.ts'

/** Runs a check against a product of its own, which is started with these settings. */
export async function withSettings(
  env: Record<string, string>,
  check: (assay: Assay) => Promise<void>,
): Promise<void> {
  const assay = await startAssay({ env: { EXAMPLES: 'false', ...env } })
  try {
    await checkAt(assay.url, () => check(assay))
  } finally {
    await assay.stop()
  }
}

/** Reads and ages what the product stores, for rules about what cannot be seen or waited for from outside. */
export interface Store {
  url: string
  query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>
  /** Every row of every table, as text. */
  everything(): Promise<string>
}

/** Runs a check against a product with the examples, whose database can be looked into. */
export async function withStore(
  check: (assay: Assay, store: Store) => Promise<void>,
): Promise<void> {
  const database = await createDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const query: Store['query'] = async (statement, values) =>
    (await client.query(statement, values)).rows
  const everything = async () => {
    const tables = await query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    )
    const rows: string[] = []
    for (const { name } of tables)
      for (const { row } of await query<{ row: string }>(`select t::text as row from ${name} t`))
        rows.push(row)
    return rows.join('\n')
  }
  const env = {
    EXAMPLES: 'true',
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    CALLBACK_SIGNING_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
  }
  try {
    await withSettings(env, (assay) => check(assay, { url: database.url, query, everything }))
  } finally {
    await client.end()
    await database.drop()
  }
}
