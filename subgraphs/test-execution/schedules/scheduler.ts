import { AppError } from '../../../formats/errors.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import { reasonOf, type UnattendedRuns } from '../unattended/unattended-runs.ts'
import { type DueRepository, type DueRun, RunTaken } from './due.repository.ts'
import { runTimes } from './times.ts'

const LOOK_EVERY_MS = 1_000
const CLAIMED_AT_ONCE = 20
/** Runs that are started at the same time; more would delay people who execute something meanwhile. */
const LANES = 2
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
      this.isHeld = (await this.#deps.due.hold()) !== null
      if (this.isHeld) return
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
      const left = runs.values()
      const lane = async () => {
        for (const run of left) await this.#startOrWait(run)
      }
      await Promise.all(Array.from({ length: LANES }, lane))
    }
  }

  async #startOrWait(run: DueRun): Promise<void> {
    const { due, log } = this.#deps
    const later = () => due.giveBack(run, new Date(+this.#now() + WAIT_MS))
    try {
      if (this.#isStopped) return await due.giveBack(run, this.#now())
      if (performance.now() < this.#fullUntil) return await later()
      await this.#start(run, later)
    } catch (error) {
      if (error instanceof RunTaken) return
      if (error instanceof AppError && error.code === 'OVERLOADED')
        this.#fullUntil = performance.now() + WAIT_MS
      else log.error({ err: error, schedule: run.id }, 'Run of a schedule not started')
      await later().catch(() => {}) // then the claim ends by itself
    }
  }

  async #start(run: DueRun, later: () => Promise<void>): Promise<void> {
    const { due, runs, log } = this.#deps
    const { id, schedule, nextAt } = run
    const now = this.#now()
    // Times that pass while a run waits are part of it.
    const next = runTimes(id, schedule).after(new Date(Math.max(+now, +nextAt)))
    if (run.isMissed && schedule.missed === 'SKIP') {
      log.info({ schedule: id, time: nextAt }, 'Run of a schedule missed')
      return due.skip(run, next, now, leftOut(run, MISSED))
    }
    if (run.isRunning && schedule.overlap === 'QUEUE') return later()
    if (run.isRunning && schedule.overlap === 'SKIP') {
      log.info({ schedule: id, time: nextAt }, 'Run of a schedule skipped')
      return due.skip(run, next, now, leftOut(run, OVERLAPPING))
    }
    try {
      const { caller, start } = await runs.prepare(schedule, run.owner)
      if (run.isRunning) await this.#cancelLast(run, caller)
      const execution = await start({
        startedBy: 'SCHEDULE',
        labels: { ...schedule.labels, schedule: id },
        alongside: (em, resultId) => due.advance(em, run, next, now, resultId),
      })
      log.info({ schedule: id, executionId: execution.id }, 'Run of a schedule started')
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'OVERLOADED') throw error
      log.warn({ schedule: id, reason: error.message }, 'Run of a schedule refused')
      await due.refuse(run, next, now, refusal(run, error))
    }
  }

  async #cancelLast({ id, lastResultId }: DueRun, caller: Caller): Promise<void> {
    await this.#deps.runs
      .cancel(lastResultId ?? '', `the next run of the schedule ${id} is due`, caller)
      .catch((error: unknown) => {
        if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error // it has ended
      })
  }
}

const leftOut = ({ nextAt }: DueRun, why: string): string =>
  `The run of ${nextAt.toISOString()} was left out: ${why}`

const refusal = ({ owner, nextAt }: DueRun, error: AppError): string =>
  `The run of ${nextAt.toISOString()} started nothing: ${reasonOf('schedule', owner, error)}`
