import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { spawnProduct } from '../support/product-process.ts'
import { startDebianPostgres } from '../support/system/debian-postgres.ts'
import type { Books } from './books.ts'
import type { Installation } from './installation.ts'

/**
 * Backs the installation up while callers do not pause, and restores it into an empty database.
 * @returns what was acknowledged before the backup and is not in it, or twice
 */
export async function restoredBackup({ env }: Installation, books: Books): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-drill-backup-'))
  const file = join(folder, 'drill.backup.gz')
  const empty = await startDebianPostgres()
  try {
    const titles = books.titles('accepted')
    const ids = [...books.executions.values()]
    await backup(['backup', file], env, folder)
    await backup(['restore', file], { ...env, DATABASE_URL: empty.url }, folder)
    return await missing(empty.url, titles, ids)
  } finally {
    await empty.stop()
    await rm(folder, { recursive: true })
  }
}

/** Runs `backup` or `restore`. */
export async function backup(
  args: string[],
  env: Readonly<Record<string, string>>,
  folder: string,
): Promise<void> {
  const program = spawnProduct('backup', ['backup.js', ...args], env, folder)
  const { code } = await program.exited
  if (code !== 0) throw new Error(`The ${args[0]} ended with ${code}:\n${program.output()}`)
}

async function missing(
  url: string,
  titles: readonly string[],
  ids: readonly string[],
): Promise<string[]> {
  const store = new pg.Client({ connectionString: url })
  await store.connect()
  try {
    const { rows: events } = await store.query<{ title: string; count: number }>(
      'select title, count(*)::int as count from events.raw_event where title = any($1) group by 1',
      [titles],
    )
    const { rows: executions } = await store.query(
      'select id from test_execution.execution where id = any($1::uuid[])',
      [ids],
    )
    const twice = events.filter(({ count }) => count > 1).length
    return [
      ...line(titles.length - events.length, 'events are not in the backup'),
      ...line(twice, 'events are in the backup more than once'),
      ...line(ids.length - executions.length, 'executions are not in the backup'),
    ]
  } finally {
    await store.end()
  }
}

const line = (count: number, what: string): string[] => (count === 0 ? [] : [`${count} ${what}`])
