import type { MikroORM } from '@mikro-orm/postgresql'
import { inTransaction, runSql, type Sql } from '../../platform/database/sql.ts'
import type { HorizonRepository } from '../../platform/position/horizon.repository.ts'
import { KEY_LIFETIME_MS } from '../../platform/request/idempotency-key.ts'
import { answerOf, type Batch, type IngestionAnswer, type Outcome, stored } from './batch.ts'
import { deduplicate } from './deduplicate.repository.ts'
import type { Occurrence } from './occurrence.ts'
import { SETTINGS } from './writer.statements.ts'

/** Everything of a transaction is written; only its commit is outstanding. */
export interface Prepared {
  /** The last occurrence and the id of its raw event: where this row can be read, the transaction has committed. */
  witness: Occurrence & { id: string }
  outcomes: Outcome[]
}

export type CommitStatus = 'committed' | 'aborted' | 'in progress'

/** Stores batches in one transaction: events, raw events, counts, changes of status and answers, or nothing. */
export class WriterRepository {
  readonly #orm: MikroORM
  readonly #horizon: Pick<HorizonRepository, 'read'>

  constructor(orm: MikroORM, horizon: Pick<HorizonRepository, 'read'>) {
    this.#orm = orm
    this.#horizon = horizon
  }

  /**
   * @param batches at most one for each idempotency key
   * @param onPrepared is called just before the commit, unless there is nothing to store
   * @returns an outcome for each batch; committed when it resolves
   */
  write(batches: readonly Batch[], onPrepared?: (prepared: Prepared) => void): Promise<Outcome[]> {
    return inTransaction(
      this.#orm.em,
      async (sql) => {
        const outcomes = await claimKeys(sql, batches)
        const occurrences = batches
          .filter((_, position) => !outcomes[position]?.isReplay)
          .flatMap(({ items }) => items.map(({ occurrence }) => occurrence))
        const last = occurrences.at(-1)
        if (last) {
          const id = await deduplicate(sql, occurrences)
          onPrepared?.({ witness: { ...last, id }, outcomes })
        }
        return outcomes
      },
      { settings: SETTINGS },
    )
  }

  /** Tries to write a batch and undoes it. @throws what the database objects to */
  async rehearse(batch: Batch): Promise<void> {
    const undo = new Error('A rehearsal is never committed')
    await this.write([{ ...batch, idempotency: null }], () => {
      throw undo
    }).catch((error) => {
      if (error !== undo) throw error
    })
  }

  /**
   * Whether a transaction whose connection was lost has committed. While it goes on, it holds the horizon below its ids.
   * The id alone proves nothing: a database that crashed may draw the ids of lost transactions again.
   */
  async statusOf({ witness: { eventId, receivedAt, id } }: Prepared): Promise<CommitStatus> {
    const { complete, isHeldBack } = await this.#horizon.read()
    if (isHeldBack && BigInt(complete) < BigInt(id)) return 'in progress'
    // A statement of its own: it must see what has committed up to now.
    const rows = await runSql(this.#orm.em, FIND_WITNESS, [eventId, receivedAt, id])
    return rows.length > 0 ? 'committed' : 'aborted'
  }
}

const FIND_WITNESS =
  'select from events.raw_event where event_id = $1 and received_at = $2 and id = $3'

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
async function claimKeys(sql: Sql, batches: readonly Batch[]): Promise<Outcome[]> {
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
