import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { inTransaction, runPrepared, type Sql, YIELDING } from '../../../platform/database/sql.ts'
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

/** A due run, and the one that follows it. */
export interface PassedRun {
  run: DueRun
  next: Date | null
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
    private readonly jobs: Pick<Jobs, 'enqueueAll'>,
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

  /** The reason of `hold`, and whether any run is due: one statement each second while nothing is. */
  async look(now: Date): Promise<{ hold: string | null; isDue: boolean }> {
    const { rows } = await runPrepared(
      this.em.fork(),
      'look-for-due-runs',
      sql<{ hold: string | null; isDue: boolean }>`
      select (select reason from test_execution.schedule_hold limit 1) as hold,
        exists (select from test_execution.schedule_state where next_at <= ${now}) as "isDue"`,
    )
    return rows[0] ?? { hold: null, isDue: false }
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

  /** Marks runs as seen to be due. Those that a transaction holds are seen the next time. */
  async notice(now: Date): Promise<void> {
    await runPrepared(
      this.em.fork(),
      'notice-due-runs',
      sql`
      update test_execution.schedule_state set noticed_at = ${now},
        missed = missed or coalesce(noticed_at, next_at) < ${before(now, MISSED_SECONDS)}
      where schedule_id in (
        select schedule_id from test_execution.schedule_state
        where next_at <= ${now}
          and (noticed_at is null or noticed_at < ${before(now, NOTICE_SECONDS)})
        for update skip locked)`,
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

  /** Gives runs back; they are tried again after some time. */
  async giveBack(runs: readonly DueRun[], until: Date): Promise<void> {
    await this.#change(sql`
      update test_execution.schedule_state set claimed_until = ${until}
      from unnest(${runs.map(({ id }) => id)}::text[],
        ${runs.map(({ nextAt }) => nextAt)}::timestamptz[]) as given (id, at)
      where schedule_id = given.id and next_at = given.at`)
  }

  /** Goes on to the next times in the transaction that accepts executions. @throws RunTaken where one was taken */
  async advance(
    em: Sql,
    started: readonly (PassedRun & { resultId: string })[],
    now: Date,
  ): Promise<void> {
    const { numAffectedRows } = await sql`
      update test_execution.schedule_state
      set next_at = given.next, noticed_at = null, missed = false, claimed_until = null,
        failure = null, skipped = null, last_run_at = ${now}, last_result_id = given.result
      from unnest(${started.map(({ run }) => run.id)}::text[],
        ${started.map(({ run }) => run.nextAt)}::timestamptz[],
        ${started.map(({ next }) => next)}::timestamptz[],
        ${started.map(({ resultId }) => resultId)}::uuid[]) as given (id, at, next, result)
      where schedule_id = given.id and next_at = given.at`.execute(em.getKysely())
    if (numAffectedRows !== BigInt(started.length)) throw new RunTaken()
    const mended = started.filter(({ run }) => run.failure !== null)
    await this.#raise(em, mended, now, () => null)
  }

  /** Goes on to the next times without executions, as the schedules ask for. @param why a run is left out */
  async skip(passed: readonly PassedRun[], why: (run: DueRun) => string): Promise<void> {
    await this.#change(sql`
      update test_execution.schedule_state
      set next_at = given.next, noticed_at = null, missed = false, claimed_until = null,
        skipped = given.reason
      from ${passedRows(passed, why)}
      where schedule_id = given.id and next_at = given.at`)
  }

  /** Goes on to the next times behind runs that started nothing. @param why a run did not; raised as an event */
  async refuse(
    passed: readonly PassedRun[],
    now: Date,
    why: (run: DueRun) => string,
  ): Promise<void> {
    await this.#change(
      sql<{ id: string }>`
        update test_execution.schedule_state
        set next_at = given.next, noticed_at = null, missed = false, claimed_until = null,
          failure = given.reason, skipped = null
        from ${passedRows(passed, why)}
        where schedule_id = given.id and next_at = given.at
        returning schedule_id as id`,
      (em, rows) => {
        const refused = new Set(rows.map(({ id }) => id))
        const own = passed.filter(({ run }) => refused.has(run.id))
        return this.#raise(em, own, now, why)
      },
    )
  }

  #change<Row>(
    statement: RawBuilder<Row>,
    alongside?: (em: Sql, rows: readonly Row[]) => Promise<void>,
  ): Promise<void> {
    return inTransaction(
      this.em,
      async (em) => {
        const { rows } = await statement.execute(em.getKysely())
        await alongside?.(em, rows)
      },
      YIELDING,
    )
  }

  async #raise(
    em: Sql,
    passed: readonly PassedRun[],
    now: Date,
    failureOf: (run: DueRun) => string | null,
  ): Promise<void> {
    const events = passed.map(({ run }) =>
      eventOf('schedule', run, run.nextAt.toISOString(), now, failureOf(run)),
    )
    await this.jobs.enqueueAll(em, OWN_EVENT.name, events)
  }
}

/** SQL: `given`, a row for each run. */
const passedRows = (passed: readonly PassedRun[], why: (run: DueRun) => string) => sql`
  unnest(${passed.map(({ run }) => run.id)}::text[],
    ${passed.map(({ run }) => run.nextAt)}::timestamptz[],
    ${passed.map(({ next }) => next)}::timestamptz[],
    ${passed.map(({ run }) => why(run))}::text[]) as given (id, at, next, reason)`

const before = (time: Date, seconds: number): Date => new Date(+time - seconds * 1_000)
