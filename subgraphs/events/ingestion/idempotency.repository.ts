import { runSql, type Sql } from '../../platform/database/sql.ts'
import { KEY_LIFETIME_MS } from '../../platform/request/idempotency-key.ts'
import type { IngestionAnswer } from './answer.ts'
import { answerOf, type Batch, type Outcome, stored } from './batch.ts'

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
 * another transaction holds a key, it waits for that one's end.
 */
export async function claimKeys(sql: Sql, batches: readonly Batch[]): Promise<Outcome[]> {
  const keyed = batches.flatMap((batch) =>
    batch.idempotency ? [{ batch, ...batch.idempotency }] : [],
  )
  if (keyed.length === 0) return batches.map(stored)
  const rows = keyed
    .map(({ batch, account, key, digest }) => ({ account, key, digest, result: answerOf(batch) }))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const oldest = new Date(Date.now() - KEY_LIFETIME_MS)
  const claimed = await runSql<KeyName>(sql, CLAIM_KEYS, [JSON.stringify(rows), oldest])
  const claimedNames = new Set(claimed.map(nameOf))
  return Promise.all(
    batches.map((batch) =>
      !batch.idempotency || claimedNames.has(nameOf(batch.idempotency))
        ? stored(batch)
        : earlierAnswer(sql, batch.idempotency),
    ),
  )
}

interface KeyName {
  account: string
  key: string
}

const nameOf = ({ account, key }: KeyName): string => JSON.stringify([account, key])

async function earlierAnswer(sql: Sql, { account, key }: KeyName): Promise<Outcome> {
  const [row] = await runSql<{ digest: string; result: IngestionAnswer }>(
    sql,
    'select digest, result from events.answered_request where account = $1 and key = $2',
    [account, key],
  )
  if (!row) throw new Error('An idempotency key was held and has gone')
  return { isReplay: true, digest: row.digest, answer: row.result }
}
