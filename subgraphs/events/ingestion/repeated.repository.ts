import { hash } from 'node:crypto'
import { runSql, type Sql } from '../../../platform/database/sql.ts'
import { isOfOneCall, KEY_LIFETIME_MS } from '../../../platform/request/idempotency-key.ts'
import {
  answerOf,
  type Batch,
  type BatchItem,
  type IngestionAnswer,
  type Outcome,
  type Replay,
  stored,
} from './group-commit.ts'

/** Claims free keys, and keys whose answer is older than $2. $1: rows in order of (account, key). */
const CLAIM_KEYS = `
  insert into events.answered_request as held (account, key, digest, result, answered_at)
  select account, key, digest, result, now()
  from json_to_recordset($1) as row(account text, key text, digest text, result jsonb)
  on conflict (account, key) do update
    set digest = excluded.digest, result = excluded.result, answered_at = excluded.answered_at
    where held.answered_at < $2
  returning account, key`

/**
 * Takes the batches' idempotency keys in the transaction of `sql`, together with the answers they will get. Where
 * another transaction holds a key, it waits for that one's end. A batch without events takes none: it may come again
 * under its key when it is mended.
 */
export async function claimKeys(sql: Sql, batches: readonly Batch[]): Promise<Outcome[]> {
  if (batches.every(({ idempotency }) => !idempotency)) return batches.map(stored)
  const oldest = new Date(Date.now() - KEY_LIFETIME_MS)
  const former = await formerAnswers(sql, batches, oldest)
  const keyed = batches.flatMap((batch) =>
    batch.idempotency && batch.items.length > 0 && !former.has(batch)
      ? [{ batch, ...batch.idempotency }]
      : [],
  )
  const rows = keyed
    .map(({ batch, account, key, digest }) => ({ account, key, digest, result: answerOf(batch) }))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const claimed =
    rows.length > 0 ? await runSql<KeyName>(sql, CLAIM_KEYS, [JSON.stringify(rows), oldest]) : []
  const claimedNames = new Set(claimed.map(nameOf))
  return Promise.all(
    batches.map(async (batch) => {
      const { idempotency } = batch
      if (!idempotency || claimedNames.has(nameOf(idempotency))) return stored(batch)
      const earlier = former.get(batch) ?? (await earlierAnswer(sql, idempotency, oldest))
      if (earlier && !isLeftToAnotherPart(batch, earlier)) return earlier
      if (batch.items.length > 0) throw new Error('An idempotency key was held and has gone')
      return stored(batch)
    }),
  )
}

/** Answers that the version before gave, which knew users of an issuer by their names. */
async function formerAnswers(
  sql: Sql,
  batches: readonly Batch[],
  oldest: Date,
): Promise<Map<Batch, Replay>> {
  const answers = new Map<Batch, Replay>()
  for (const batch of batches) {
    const { formerAccount: account, key = '' } = batch.idempotency ?? {}
    const earlier =
      account === undefined ? null : await earlierAnswer(sql, { account, key }, oldest)
    if (earlier && !isLeftToAnotherPart(batch, earlier)) answers.set(batch, earlier)
  }
  return answers
}

/** The key of a call is held by its first part that has events: those before it took none. */
const isLeftToAnotherPart = ({ items, idempotency }: Batch, held: Replay): boolean =>
  items.length === 0 &&
  idempotency !== null &&
  idempotency.digest !== held.digest &&
  isOfOneCall(idempotency.digest, held.digest)

interface KeyName {
  account: string
  key: string
}

const nameOf = ({ account, key }: KeyName): string => JSON.stringify([account, key])

async function earlierAnswer(
  sql: Sql,
  { account, key }: KeyName,
  oldest: Date,
): Promise<Replay | undefined> {
  const [row] = await runSql<{ digest: string; result: IngestionAnswer }>(
    sql,
    `select digest, result from events.answered_request
      where account = $1 and key = $2 and answered_at >= $3`,
    [account, key, oldest],
  )
  return row && { isReplay: true, digest: row.digest, answer: row.result }
}

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
