import { hash } from 'node:crypto'
import { runSql, type Sql } from '../../../platform/database/sql.ts'
import type { BatchItem } from './group-commit.ts'

/**
 * $1: keys in order. Returns those that are new. A known one is kept for longer where it was last sent more than a day ago:
 * alerts that fire for weeks are sent every minute.
 */
const CLAIM_OCCURRENCES = `
  insert into events.known_occurrence as known (key, sent_at) select unnest($1::text[]), now()
  on conflict (key) do update set sent_at = excluded.sent_at where known.sent_at < now() - interval '1 day'
  returning key, xmax = 0 as is_new`

/**
 * Leaves out items that are stored already, and marks them. Takes their keys in the transaction of `sql`: where another one
 * holds a key, it waits for that one's end.
 */
export async function newItems(
  sql: Sql,
  items: readonly BatchItem[],
): Promise<readonly BatchItem[]> {
  const byKey = new Map<string, BatchItem>()
  for (const item of items) {
    if (item.key === undefined) continue
    const key = hash('sha256', `${item.occurrence.eventId} ${item.key}`, 'base64url')
    item.isRepeat = byKey.has(key)
    if (!item.isRepeat) byKey.set(key, item)
  }
  if (byKey.size === 0) return items
  const rows = await runSql<{ key: string; is_new: boolean }>(sql, CLAIM_OCCURRENCES, [
    [...byKey.keys()].sort(),
  ])
  const claimed = new Set(rows.flatMap((row) => (row.is_new ? [row.key] : [])))
  for (const [key, item] of byKey) item.isRepeat = !claimed.has(key)
  return items.filter(({ isRepeat }) => !isRepeat)
}
