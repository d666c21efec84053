import type { MikroORM } from '@mikro-orm/postgresql'
import { runSql } from '../tables/sql.repository.ts'
import type { Batch, Outcome } from './batch.ts'
import { deduplicate } from './deduplicate.repository.ts'
import { claimKeys } from './idempotency.repository.ts'

/** Stores batches in one transaction: events, raw events, counts, changes of status and answers, or nothing. */
export class WriterRepository {
  readonly #orm: MikroORM

  constructor(orm: MikroORM) {
    this.#orm = orm
  }

  /**
   * @param batches at most one for each idempotency key
   * @param onPrepared hears the transaction's id just before it commits
   * @returns an outcome for each batch; committed when it resolves
   */
  write(batches: readonly Batch[], onPrepared?: (xact: string) => void): Promise<Outcome[]> {
    return this.#orm.em.fork().transactional(async (em) => {
      const outcomes = await claimKeys(em, batches)
      const occurrences = batches
        .filter((_, position) => outcomes[position]?.stored)
        .flatMap(({ items }) => items.map(({ occurrence }) => occurrence))
      if (occurrences.length > 0) {
        const xact = await deduplicate(em, occurrences)
        onPrepared?.(xact)
      }
      return outcomes
    })
  }

  /** Whether a transaction whose connection was lost has committed. */
  async hasCommitted(xact: string): Promise<boolean> {
    const [row] = await runSql<{ status: string | null }>(
      this.#orm.em.fork(),
      'select case when $1::xid8 < pg_snapshot_xmax(pg_current_snapshot()) then pg_xact_status($1::xid8) end as status',
      [xact],
    )
    return row?.status === 'committed'
  }
}
