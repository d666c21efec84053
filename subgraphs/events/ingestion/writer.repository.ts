import type { MikroORM } from '@mikro-orm/postgresql'
import { inTransaction, poolOf, runSql } from '../tables/sql.repository.ts'
import type { Batch, Outcome } from './batch.ts'
import { deduplicate } from './deduplicate.repository.ts'
import { claimKeys } from './idempotency.repository.ts'
import type { Occurrence } from './occurrence.ts'
import { BEGIN } from './writer.statements.ts'

/** Everything of a transaction is written; only its commit is outstanding. */
export interface Prepared {
  /** The transaction's id. */
  xact: string
  /** One of the occurrences it stores: where this row can be read, the transaction has committed. */
  witness: Occurrence
  outcomes: Outcome[]
}

export type CommitStatus = 'committed' | 'aborted' | 'in progress'

/** Stores batches in one transaction: events, raw events, counts, changes of status and answers, or nothing. */
export class WriterRepository {
  readonly #orm: MikroORM

  constructor(orm: MikroORM) {
    this.#orm = orm
  }

  /**
   * @param batches at most one for each idempotency key
   * @param onPrepared is called just before the commit, unless there is nothing to store
   * @returns an outcome for each batch; committed when it resolves
   */
  write(batches: readonly Batch[], onPrepared?: (prepared: Prepared) => void): Promise<Outcome[]> {
    return inTransaction(
      this.#orm,
      async (sql) => {
        const outcomes = await claimKeys(sql, batches)
        const occurrences = batches
          .filter((_, position) => !outcomes[position]?.isReplay)
          .flatMap(({ items }) => items.map(({ occurrence }) => occurrence))
        const [witness] = occurrences
        if (witness) {
          const xact = await deduplicate(sql, occurrences)
          onPrepared?.({ xact, witness, outcomes })
        }
        return outcomes
      },
      BEGIN,
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
   * Whether a transaction whose connection was lost has committed. Its id alone does not tell: after a crash the
   * database gives the ids of lost transactions to new ones.
   */
  async statusOf({ xact, witness }: Prepared): Promise<CommitStatus> {
    const pool = await poolOf(this.#orm)
    const [transaction] = await runSql<{ isRunning: boolean }>(pool, IS_RUNNING, [xact])
    if (transaction?.isRunning) return 'in progress'
    // A statement of its own: it must see what has committed up to now.
    const rows = await runSql(pool, FIND_WITNESS, [witness.eventId, witness.receivedAt, xact])
    return rows.length > 0 ? 'committed' : 'aborted'
  }
}

const IS_RUNNING = `
  select case when $1::xid8 < pg_snapshot_xmax(pg_current_snapshot())
    then pg_xact_status($1::xid8) = 'in progress' else false end as "isRunning"`

const FIND_WITNESS =
  'select from events.raw_event where event_id = $1 and received_at = $2 and xact = $3::xid8 limit 1'
