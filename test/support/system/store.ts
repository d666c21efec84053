import { join } from 'node:path'
import pg from 'pg'
import { useDataDirDatabase } from '../../../platform/data-dir/data-dir-database.ts'
import { type Exit, type ProductProcess, spawnProduct } from '../product-process.ts'

/** Variables that name a store. */
export type StoreSettings = { DATA_DIR: string } | { DATABASE_URL: string }

const silent = { info: () => {}, warn: () => {} }

// biome-ignore lint/suspicious/noExplicitAny: a test reads the columns that it has asked for
type Row = any

/** Asks a store, whether or not the product runs on it. */
export async function ask(
  place: StoreSettings,
  query: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const database =
    'DATABASE_URL' in place
      ? { url: place.DATABASE_URL, stop: async () => {} }
      : await useDataDirDatabase(place.DATA_DIR, silent)
  const client = new pg.Client({ connectionString: database.url })
  try {
    await client.connect()
    return (await client.query(query, values)).rows
  } finally {
    await client.end()
    await database.stop()
  }
}

/** Starts `npm run backup` or `npm run restore`, but for the build. */
export const start = (
  command: 'backup' | 'restore',
  file: string,
  place: StoreSettings,
  env: Record<string, string> = {},
): ProductProcess =>
  spawnProduct(command, ['backup.js', command, file], { ...place, ...env }, join(file, '..'))

/** Runs it to its end. @returns how it ended, and what it wrote */
export async function run(...args: Parameters<typeof start>): Promise<Exit & { output: string }> {
  const started = start(...args)
  return { ...(await started.exited), output: started.output() }
}
