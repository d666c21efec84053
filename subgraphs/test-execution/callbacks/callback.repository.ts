import type { EntityManager, InferEntity } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { toRow } from '../../../platform/database/row.ts'
import { inTransaction } from '../../../platform/database/sql.ts'
import { openJobs } from '../../../platform/jobs/job-statements.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { readCounted } from '../../../platform/paging/counted-page.repository.ts'
import { type Connection, cursorOf, type IsKey, type Page } from '../../../platform/paging/page.ts'
import { CALLBACK, type CallbackJob } from './callback.queue.ts'
import type {
  CallbackAttempt,
  CallbackDelivery,
  CallbackStateName,
  CallbackStep,
} from './callback.ts'
import { CallbackDeliveryEntity } from './callback-delivery.entity.ts'
import { enqueueAttempt } from './callback-promise.repository.ts'

/** Storage of deliveries. Each attempt and what follows from it are one transaction. */
export class CallbackRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
  ) {}

  async find(id: string): Promise<CallbackDelivery | null> {
    const row = UUID.test(id) ? await this.em.fork().findOne(CallbackDeliveryEntity, { id }) : null
    return row && toDelivery(row)
  }

  /** The delivery that a job is about, while the job's attempt is the one that is due. */
  async due({
    executionId,
    deliveryId: id,
    attempt,
  }: CallbackJob): Promise<CallbackDelivery | null> {
    const row = await this.em.fork().findOne(CallbackDeliveryEntity, {
      executionId,
      id,
      state: 'PENDING',
      attemptCount: attempt - 1,
    })
    return row && toDelivery(row)
  }

  /**
   * Deliveries that are pending without a job, at most 1 000. A job that failed too often is not tried again, and earlier
   * versions let the queue delete jobs that no worker took for 14 days.
   */
  async lost(): Promise<CallbackDelivery[]> {
    const em = this.em.fork()
    const { rows } = await sql<object>`
      select * from test_execution.callback_delivery as delivery
      where state = 'PENDING' and not exists (
        select from (${sql.raw(openJobs(CALLBACK.name))}) as job
        where job.data ->> 'deliveryId' = delivery.id::text)
      limit 1000`.execute(em.getKysely())
    return rows.map((row) => toDelivery(toRow(em, CallbackDeliveryEntity, row)))
  }

  async ofExecution(executionId: string): Promise<CallbackDelivery[]> {
    if (!UUID.test(executionId)) return []
    const rows = await this.em
      .fork()
      .find(CallbackDeliveryEntity, { executionId }, { orderBy: { id: 'asc' } })
    return rows.map(toDelivery)
  }

  /** Counts deliveries in each of these states. */
  counts(
    states: readonly CallbackStateName[],
  ): Promise<{ state: CallbackStateName; count: number }[]> {
    const em = this.em.fork()
    return Promise.all(
      states.map(async (state) => ({
        state,
        count: await em.count(CallbackDeliveryEntity, { state }),
      })),
    )
  }

  /** Newest first. */
  page(page: Page, state: CallbackStateName | null): Promise<Connection<CallbackDelivery>> {
    const matching = state ? { state } : {}
    const [from] = page.from ?? []
    const behind = from ? { id: page.isBackward ? { $gt: from } : { $lt: from } } : {}
    return readCounted(this.em, page, async (em) => {
      const rows = await em.find(
        CallbackDeliveryEntity,
        { ...matching, ...behind },
        { orderBy: { id: page.isBackward ? 'asc' : 'desc' }, limit: page.limit + 1 },
      )
      return {
        rows: rows.map(toDelivery),
        cursorOf: ({ id }) => cursorOf(id),
        count: () => em.count(CallbackDeliveryEntity, matching),
      }
    })
  }

  /** Writes an attempt down, and enqueues the next one if there is one. @returns false when it was written before */
  record(
    delivery: CallbackDelivery,
    attempt: CallbackAttempt,
    step: CallbackStep,
  ): Promise<boolean> {
    return this.#change(delivery, ['PENDING'], {
      ...step,
      attempts: [...delivery.attempts, attempt],
    })
  }

  /** Begins the schedule anew. @returns false when the delivery is pending */
  redeliver(delivery: CallbackDelivery, now: Date): Promise<boolean> {
    return this.#change(delivery, ['DELIVERED', 'GIVEN_UP', 'DEAD'], {
      state: 'PENDING',
      nextAttemptAt: now,
      earlierAttempts: delivery.attempts.length,
    })
  }

  /** Changes a delivery unless it changed since it was read (optimistic lock). */
  #change(
    delivery: CallbackDelivery,
    states: CallbackStateName[],
    change: Partial<CallbackDelivery>,
  ): Promise<boolean> {
    const { executionId, id, attempts } = delivery
    const after = { ...delivery, ...change }
    return inTransaction(this.em, async (em) => {
      const changed = await em.nativeUpdate(
        CallbackDeliveryEntity,
        { executionId, id, attemptCount: attempts.length, state: { $in: states } },
        { ...change, attemptCount: after.attempts.length },
      )
      if (changed === 0) return false
      if (after.state === 'PENDING') await enqueueAttempt({ em, jobs: this.jobs }, after)
      return true
    })
  }
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

export const isDeliveryKey: IsKey = ([id = '', ...rest]) => UUID.test(id) && rest.length === 0

const toDelivery = ({
  attemptCount: _,
  nextAttemptAt = null,
  ...delivery
}: InferEntity<typeof CallbackDeliveryEntity>): CallbackDelivery => ({ ...delivery, nextAttemptAt })
