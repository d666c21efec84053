import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { PlannedExecution } from '../executions/accept/together.repository.ts'
import { reasonOf, type UnattendedRuns } from '../unattended/unattended-runs.ts'
import { type DueRepository, type DueRun, type PassedRun, RunTaken } from './due.repository.ts'
import { runTimes } from './times.ts'

const LOOK_EVERY_MS = 1_000
/** More would delay people who execute something meanwhile. */
const CLAIMED_AT_ONCE = 50
/** Scenarios, those of suites among them, that one transaction accepts; one suite may have more. */
const SCENARIOS_AT_ONCE = 50
/** Pause before a run is tried again that waits for room in the queue, or for the end of the one before. */
const WAIT_MS = 5_000

const MISSED =
  'no process noticed it in time, as all were stopped or paused (SCHEDULES). With missed ONCE, one run makes up for it'
const OVERLAPPING = 'the one before it still ran. With overlap QUEUE, it waits for the end'

export interface SchedulerDeps {
  due: DueRepository
  runs: UnattendedRuns
  log: Logger
}

/** Starts executions at the times of schedules. Any number of processes may do so at the same time. */
export class Scheduler {
  readonly #deps: SchedulerDeps
  readonly #now: () => Date
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #draining: Promise<void> | undefined
  #isStopped = false
  #fullUntil = 0
  /** True in a restored store, as it was last looked at. */
  isHeld = false

  constructor(deps: SchedulerDeps, now: () => Date = currentTime) {
    this.#deps = deps
    this.#now = now
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.#looking = this.#looking.then(() => this.#look())
    }, LOOK_EVERY_MS).unref()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#timer)
    await this.#looking
    await this.#draining
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return
    try {
      const { hold, isDue } = await this.#deps.due.look(this.#now())
      this.isHeld = hold !== null
      if (this.isHeld || !isDue) return
      await this.#deps.due.notice(this.#now())
      this.#draining ??= this.#drain().finally(() => {
        this.#draining = undefined
      })
    } catch (err) {
      this.#deps.log.warn({ err }, 'Schedules not read')
    }
  }

  async #drain(): Promise<void> {
    while (!this.#isStopped && performance.now() >= this.#fullUntil) {
      const runs = await this.#deps.due.claim(this.#now(), CLAIMED_AT_ONCE).catch((err) => {
        this.#deps.log.warn({ err }, 'Due schedules not claimed')
        return []
      })
      if (runs.length === 0) return
      await this.#startOrWait(runs)
    }
  }

  async #startOrWait(runs: readonly DueRun[]): Promise<void> {
    const { due, log } = this.#deps
    const later = () => due.giveBack(runs, new Date(+this.#now() + WAIT_MS))
    try {
      if (this.#isStopped) return await due.giveBack(runs, this.#now())
      if (performance.now() < this.#fullUntil) return await later()
      await this.#start(runs)
    } catch (error) {
      const isFull = error instanceof AppError && error.code === 'OVERLOADED'
      if (isFull) this.#fullUntil = performance.now() + WAIT_MS
      // The others start where one of them cannot. What has passed stays as it is.
      else if (runs.length > 1) {
        for (const run of runs) await this.#startOrWait([run])
        return
      } else if (error instanceof RunTaken) return
      else log.error({ err: error, schedule: runs[0]?.id }, 'Run of a schedule not started')
      await later().catch(() => {}) // then the claims end by themselves
    }
  }

  async #start(runs: readonly DueRun[]): Promise<void> {
    const { due, log } = this.#deps
    const now = this.#now()
    // Times that pass while a run waits are part of it.
    const passed = runs.map((run) => ({
      run,
      next: runTimes(run.id, run.schedule).after(new Date(Math.max(+now, +run.nextAt))),
    }))
    const by = Object.groupBy(passed, ({ run }) => fateOf(run))
    const { MISSED: missed = [], OVERLAPPING: overlapping = [], WAITS: waiting = [] } = by
    for (const { run } of [...missed, ...overlapping])
      log.info({ schedule: run.id, time: run.nextAt }, 'Run of a schedule left out')
    if (missed.length > 0) await due.skip(missed, leftOut(MISSED))
    if (overlapping.length > 0) await due.skip(overlapping, leftOut(OVERLAPPING))
    if (waiting.length > 0)
      await due.giveBack(
        waiting.map(({ run }) => run),
        new Date(+now + WAIT_MS),
      )
    await this.#accept(by.STARTS ?? [], now)
  }

  /** Accepts executions, in few transactions. */
  async #accept(passed: readonly PassedRun[], now: Date): Promise<void> {
    let pending: Start[] = []
    let scenarios = 0
    for (const alike of Map.groupBy(passed, ({ run }) => startOf(run)).values())
      for (const start of await this.#plan(alike, now)) {
        const { length } = start.planned.members
        if (pending.length > 0 && scenarios + length > SCENARIOS_AT_ONCE) {
          await this.#acceptAll(pending, now)
          ;[pending, scenarios] = [[], 0]
        }
        pending.push(start)
        scenarios += length
      }
    if (pending.length > 0) await this.#acceptAll(pending, now)
  }

  /** @param alike runs with equal starts @returns none where they are refused */
  async #plan(alike: readonly PassedRun[], now: Date): Promise<Start[]> {
    const { due, runs, log } = this.#deps
    const [first] = alike
    if (!first) return []
    try {
      const { caller, plan } = await runs.prepare(first.run.schedule, first.run.owner)
      for (const { run } of alike) if (run.isRunning) await this.#cancelLast(run, caller)
      const labels = alike.map(({ run: { id, schedule } }) => ({
        ...schedule.labels,
        schedule: id,
      }))
      const planned = await plan('SCHEDULE', labels)
      return planned.map((each, at) => ({ ...(alike[at] as PassedRun), planned: each })) // one for each
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'OVERLOADED') throw error
      for (const { run } of alike)
        log.warn({ schedule: run.id, reason: error.message }, 'Run of a schedule refused')
      await due.refuse(alike, now, refusal(error))
      return []
    }
  }

  async #acceptAll(starts: readonly Start[], now: Date): Promise<void> {
    const { due, runs, log } = this.#deps
    const toRow = ({ planned, ...passed }: Start) => ({ ...passed, resultId: planned.execution.id })
    const planned = starts.map((start) => start.planned)
    const count = await runs.accept(planned, (em, accepted) =>
      due.advance(em, starts.slice(0, accepted.length).map(toRow), now),
    )
    for (const { run, planned } of starts.slice(0, count))
      log.info({ schedule: run.id, executionId: planned.execution.id }, 'Run of a schedule started')
    if (count < starts.length) await this.#acceptAll(starts.slice(count), now) // full: it says so
  }

  async #cancelLast({ id, lastResultId }: DueRun, caller: Caller): Promise<void> {
    await this.#deps.runs
      .cancel(lastResultId ?? '', `the next run of the schedule ${id} is due`, caller)
      .catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error // it has ended
      })
  }
}

/** A run whose execution is planned. */
interface Start extends PassedRun {
  planned: PlannedExecution
}

/** Outcome of a run, as `missed` and `overlap` say. */
function fateOf({ isMissed, isRunning, schedule: { missed, overlap } }: DueRun) {
  if (isMissed && missed === 'SKIP') return 'MISSED'
  if (!isRunning || overlap === 'CANCEL') return 'STARTS'
  return overlap === 'QUEUE' ? 'WAITS' : 'OVERLAPPING'
}

/** The same for runs that start alike, but for their labels. */
const startOf = ({ owner, schedule: { target, environment, credentialsFrom } }: DueRun): string =>
  JSON.stringify([target, environment, credentialsFrom, owner])

const leftOut =
  (why: string) =>
  ({ nextAt }: DueRun): string =>
    `The run of ${nextAt.toISOString()} was left out: ${why}`

const refusal =
  (error: AppError) =>
  ({ owner, nextAt }: DueRun): string =>
    `The run of ${nextAt.toISOString()} started nothing: ${reasonOf('schedule', owner, error)}`
