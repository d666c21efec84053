import pg from 'pg'
import { type Assay, startAssay } from '../support/assay.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { Client, USERS_ENV } from '../support/e2e/users.ts'
import { productKeys } from '../support/product-keys.ts'
import { checkAgainst, checkAt } from './row.ts'

/** Each is started by the first check that needs it, and serves all checks that need the same settings. */
const products = new Map<string, Promise<Assay>>()
const databases: TestDatabase[] = []

function productWith(env: Record<string, string>): Promise<Assay> {
  const key = JSON.stringify(env)
  const product = products.get(key) ?? startAssay({ env })
  products.set(key, product)
  return product
}

/** The product under check, which has the default settings. */
export const underCheck = (): Promise<Assay> => productWith({})

export const startUnderCheck = async (): Promise<void> => checkAgainst((await underCheck()).url)

export async function stopProducts(): Promise<void> {
  for (const product of products.values()) await (await product).stop()
  for (const database of databases) await database.drop()
}

/** Runs a check against a product of its own, which is started with these settings. */
export async function withSettings(
  env: Record<string, string>,
  check: (assay: Assay) => Promise<void>,
): Promise<void> {
  const assay = await startAssay({ env })
  try {
    await checkAt(assay.url, () => check(assay))
  } finally {
    await assay.stop()
  }
}

/** Events that the product of `withUsers` takes of each of them. */
export const EVENTS_PER_MINUTE = 5

/** A product that keeps accounts and has tools for assistants. */
export const withUsers = async (): Promise<Client> => {
  const limits = { EVENTS_PER_MINUTE: String(EVENTS_PER_MINUTE) }
  return new Client((await productWith({ ...USERS_ENV, ...limits, ...TOOLS })).url)
}

const TOOLS = { MCP: 'on', MCP_WRITE: 'on' }

/** A product behind a server that signs users in and whose address is 127.0.0.1. */
export const withProxy = async (): Promise<Client> =>
  new Client((await productWith({ AUTH_MODE: 'proxy', PROXY_ADDRESSES: '127.0.0.1/32' })).url)

/** Reads and ages what the product stores, for rules about what cannot be seen or waited for from outside. */
export interface Store {
  url: string
  query<Row extends object>(statement: string, values?: unknown[]): Promise<Row[]>
  /** Every row of every table, as text. */
  everything(): Promise<string>
}

let storeEnv: Promise<Record<string, string>> | undefined

/** Runs a check against a product whose database can be looked into, which other checks use as well. */
export async function withStore(
  check: (assay: Assay, store: Store) => Promise<void>,
): Promise<void> {
  storeEnv ??= createStore()
  const env = await storeEnv
  const assay = await productWith(env)
  const url = env.DATABASE_URL ?? ''
  const client = new pg.Client({ connectionString: url })
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
  try {
    await checkAt(assay.url, () => check(assay, { url, query, everything }))
  } finally {
    await client.end()
  }
}

async function createStore(): Promise<Record<string, string>> {
  const database = await createDatabase()
  databases.push(database)
  return {
    DATABASE_URL: database.url,
    ...productKeys(),
  }
}
