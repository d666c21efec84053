import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { inTransaction, runPrepared, type Sql } from '../../../platform/database/sql.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { OWN_EVENT } from '../../../platform/jobs/own-event.ts'
import type { Owner } from '../unattended/owner.ts'
import { eventOf } from '../unattended/unattended-event.ts'
import type { Schedule } from './schedule-state.repository.ts'

/** A run that is due, claimed by this process for a while. */
export interface DueRun {
  id: string
  name: string
  nextAt: Date
  schedule: Schedule
  owner: Owner
  isMissed: boolean
  failure: string | null
  lastResultId: string | null
  /** True if the execution that it started last has not ended. */
  isRunning: boolean
}

/** A due time that no process has noticed for this long was missed. Noticed ones are noticed again and again. */
const MISSED_SECONDS = 60
const NOTICE_SECONDS = 20
/** A claim of a killed process ends after this. */
const CLAIM_SECONDS = 30

/** The run was started or changed by another. */
export class RunTaken extends Error {
  constructor() {
    super('The run of a schedule was taken')
  }
}

/** Runs of schedules that are due. Each is started in one transaction with the next time, under its schedule and time. */
export class DueRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Pick<Jobs, 'enqueue'>,
  ) {}

  /** Why no schedule is to run, such as a restored backup; null where they run. */
  async hold(): Promise<string | null> {
    const { rows } = await runPrepared(
      this.em.fork(),
      'schedule-hold',
      sql<{ reason: string }>`select reason from test_execution.schedule_hold limit 1`,
    )
    return rows[0]?.reason ?? null
  }

  /** Lets schedules run. @returns whether anything held them */
  async resume(): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const { numAffectedRows } = await sql`delete from test_execution.schedule_hold`.execute(
        em.getKysely(),
      )
      return numAffectedRows !== 0n
    })
  }

  /** Marks runs as seen to be due. */
  async notice(now: Date): Promise<void> {
    await runPrepared(
      this.em.fork(),
      'notice-due-runs',
      sql`
      update test_execution.schedule_state set noticed_at = ${now},
        missed = missed or coalesce(noticed_at, next_at) < ${before(now, MISSED_SECONDS)}
      where next_at <= ${now}
        and (noticed_at is null or noticed_at < ${before(now, NOTICE_SECONDS)})`,
    )
  }

  /** Takes runs that are noticed and that no other process has taken. */
  async claim(now: Date, limit: number): Promise<DueRun[]> {
    const { rows } = await runPrepared(
      this.em.fork(),
      'claim-due-runs',
      sql<Omit<DueRun, 'nextAt'> & { nextAt: Date | string }>`
      update test_execution.schedule_state as state
        set claimed_until = ${before(now, -CLAIM_SECONDS)}
      from test_execution.artifact as artifact
      where artifact.kind = 'schedule' and artifact.id = state.schedule_id
        and state.schedule_id in (
          select schedule_id from test_execution.schedule_state
          where next_at <= ${now} and noticed_at is not null
            and (claimed_until is null or claimed_until < ${now})
          order by next_at limit ${limit} for update skip locked)
      returning schedule_id as id, artifact.name, next_at as "nextAt", fields as schedule, owner,
        missed as "isMissed", failure, last_result_id as "lastResultId",
        exists (select from test_execution.execution
          where execution.id = last_result_id and state = 'RUNNING') as "isRunning"`,
    )
    return rows.map((row) => ({ ...row, nextAt: new Date(row.nextAt) }))
  }

  /** Gives a run back; it is tried again after some time. */
  async giveBack({ id, nextAt }: DueRun, until: Date): Promise<void> {
    await sql`
      update test_execution.schedule_state set claimed_until = ${until}
      where schedule_id = ${id} and next_at = ${nextAt}`.execute(this.em.fork().getKysely())
  }

  /** Goes on to the next time in the transaction that accepts an execution. @throws RunTaken */
  async advance(em: Sql, run: DueRun, next: Date | null, now: Date, resultId: string) {
    const { id, nextAt } = run
    const { numAffectedRows } = await sql`
      update test_execution.schedule_state
      set next_at = ${next}, noticed_at = null, missed = false, claimed_until = null,
        failure = null, skipped = null, last_run_at = ${now}, last_result_id = ${resultId}
      where schedule_id = ${id} and next_at = ${nextAt}`.execute(em.getKysely())
    if (numAffectedRows === 0n) throw new RunTaken()
    if (run.failure !== null) await this.#raise(em, run, now, null)
  }

  /** Goes on to the next time without an execution, as the schedule asks for. @param skipped why */
  skip(run: DueRun, next: Date | null, now: Date, skipped: string): Promise<void> {
    return this.#pass(run, next, now, { skipped, failure: null })
  }

  /** Goes on to the next time behind a run that started nothing. @param failure why; raised as an event */
  refuse(run: DueRun, next: Date | null, now: Date, failure: string): Promise<void> {
    return this.#pass(run, next, now, { failure, skipped: null })
  }

  async #pass(
    run: DueRun,
    next: Date | null,
    now: Date,
    { failure, skipped }: Record<'failure' | 'skipped', string | null>,
  ): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const { numAffectedRows } = await sql`
        update test_execution.schedule_state
        set next_at = ${next}, noticed_at = null, missed = false, claimed_until = null,
          failure = coalesce(${failure}::text, failure), skipped = ${skipped}
        where schedule_id = ${run.id} and next_at = ${run.nextAt}`.execute(em.getKysely())
      if (numAffectedRows !== 0n && failure !== null) await this.#raise(em, run, now, failure)
    })
  }

  async #raise(em: Sql, run: DueRun, now: Date, failure: string | null) {
    const event = eventOf('schedule', run, run.nextAt.toISOString(), now, failure)
    await this.jobs.enqueue(em, OWN_EVENT.name, event)
  }
}

const before = (time: Date, seconds: number): Date => new Date(+time - seconds * 1_000)
