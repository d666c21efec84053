import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { runPrepared } from '../../../../platform/database/sql.ts'
import {
  type IdempotencyKey,
  idempotencyMismatch,
  KEY_LIFETIME_MS,
} from '../../../../platform/request/idempotency-key.ts'

interface Held {
  digest: string
  id: string
}

/** @returns the execution that a request under this key has started @throws AppError IDEMPOTENCY_MISMATCH */
export async function startedUnder(
  em: EntityManager,
  { account, formerAccount = account, key, digest }: IdempotencyKey,
): Promise<string | null> {
  const { rows } = await runPrepared(
    em,
    'started-under',
    sql<Held>`
    select digest, execution_id as id from test_execution.execution_key
    where account in (${account}, ${formerAccount}) and key = ${key} and taken_at >= ${oldest()}
    order by account = ${account} desc`,
  )
  const [held] = rows
  if (!held) return null
  if (held.digest !== digest) throw idempotencyMismatch()
  return held.id
}

/**
 * Takes a key for an execution inside the transaction that accepts it. Where another transaction takes it, it waits for
 * that one's end.
 * @returns the execution that has the key: this one, or an earlier one @throws AppError IDEMPOTENCY_MISMATCH
 */
export async function takeKey(
  em: EntityManager,
  idempotency: IdempotencyKey,
  executionId: string,
): Promise<string> {
  const { account, formerAccount, key, digest } = idempotency
  const former = formerAccount === undefined ? null : await startedUnder(em, idempotency)
  if (former !== null) return former
  const { numAffectedRows } = await runPrepared(
    em,
    'take-key',
    sql`
    insert into test_execution.execution_key as held (account, key, digest, execution_id, taken_at)
    values (${account}, ${key}, ${digest}, ${executionId}, now())
    on conflict (account, key) do update
      set digest = excluded.digest, execution_id = excluded.execution_id, taken_at = excluded.taken_at
      where held.taken_at < ${oldest()}`,
  )
  if (numAffectedRows === 1n) return executionId
  const holder = await startedUnder(em, idempotency)
  if (holder === null) throw new Error('An idempotency key was held and has gone')
  return holder
}

/** Removes the keys that hold no longer. */
export async function forgetKeys(em: EntityManager): Promise<void> {
  await sql`delete from test_execution.execution_key where taken_at < ${oldest()}`.execute(
    em.getKysely(),
  )
}

const oldest = () => new Date(Date.now() - KEY_LIFETIME_MS)
