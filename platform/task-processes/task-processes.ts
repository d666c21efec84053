import { FairQueue } from '../load/load.ts'
import type { ThrownInProcess } from './serve-tasks.ts'
import { TaskProcess, type TaskProcessOptions } from './task-process.ts'

export interface TaskProcessesOptions extends TaskProcessOptions {
  /** Processes at a time. */
  max: number
  /** Tasks that wait for a process; more are refused. */
  maxWaiting: number
  /** Maximum of these for one owner. */
  maxWaitingOfOne?: number
  /** A process without work for longer is ended; null keeps it. */
  idleMs: number | null
  /** The error to throw for one that a task threw. */
  revive(thrown: ThrownInProcess): Error
  /** The error to throw for a task that took too much of what `limit` says. */
  refuse(limit: Excess, budget: TimeBudget): Error
}

/** Limit that a task exceeded: time of its budget, memory, or others waiting before it. */
export type Excess = 'time' | 'memory' | 'waiting'

interface Waiting {
  resolve(process: TaskProcess): void
  reject(error: Error): void
}

const stopped = (): Error => new Error('The processes for tasks were stopped')

/** Started by the first task, and replaced where a task had to be ended. They keep no other process alive. */
export class TaskProcesses {
  readonly #options: TaskProcessesOptions
  readonly #all = new Set<TaskProcess>()
  /** The last one used is the first to be used again, so that others can end. */
  readonly #idle: TaskProcess[] = []
  readonly #waiting = new FairQueue<Waiting>()
  #isStopped = false

  constructor(options: TaskProcessesOptions) {
    this.#options = options
  }

  /** Starts a process, so that the first task does not wait for it. */
  prepare(): void {
    if (this.#all.size === 0) this.#free(this.#start())
  }

  /**
   * Runs a task of the program. Its result comes as that returned it.
   * @param owner whose tasks take turns with those of others
   * @param signal takes it out while it waits
   * @throws as `revive` and `refuse` say; the reason of the signal
   */
  run<Result>(
    name: string,
    input: unknown,
    budget: TimeBudget,
    owner: unknown = budget,
    signal?: AbortSignal,
  ): Promise<Result> {
    return budget.inTurn(async () => {
      signal?.throwIfAborted()
      if (this.#isStopped) throw stopped()
      if (budget.leftMs === 0) throw this.#options.refuse('time', budget)
      const process = await this.#acquire(budget, owner, signal)
      try {
        return (await this.#runOn(process, name, input, budget)) as Result
      } finally {
        this.#free(process.hasEnded ? this.#replacement() : process)
      }
    })
  }

  /** Ends all at once: tasks that run or wait are rejected. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
      next.reject(stopped())
    await Promise.all([...this.#all].map((process) => process.end()))
  }

  async #runOn(
    process: TaskProcess,
    name: string,
    input: unknown,
    budget: TimeBudget,
  ): Promise<unknown> {
    const { end, ms } = await process.run(name, input, budget.leftMs)
    budget.spend(ms)
    if (typeof end === 'string') throw this.#options.refuse(end, budget)
    if ('thrown' in end) throw this.#options.revive(end.thrown)
    return end.result
  }

  #acquire(
    budget: TimeBudget,
    owner: unknown,
    signal: AbortSignal | undefined,
  ): Promise<TaskProcess> {
    const idle = this.#idle.pop()
    if (idle) return Promise.resolve(idle)
    const { max, maxWaiting, maxWaitingOfOne = maxWaiting, refuse } = this.#options
    if (this.#all.size < max) return Promise.resolve(this.#start())
    if (this.#waiting.size >= maxWaiting || this.#waiting.sizeOf(owner) >= maxWaitingOfOne)
      throw refuse('waiting', budget)
    const { promise, resolve, reject } = Promise.withResolvers<TaskProcess>()
    const waiting = { resolve, reject }
    const leave = () => {
      this.#waiting.remove(owner, waiting)
      reject(signal?.reason)
    }
    this.#waiting.push(owner, waiting)
    signal?.addEventListener('abort', leave, { once: true })
    return promise.finally(() => signal?.removeEventListener('abort', leave))
  }

  #start(): TaskProcess {
    const process = new TaskProcess(this.#options)
    this.#all.add(process)
    process.onEnd = () => {
      this.#all.delete(process)
      const at = this.#idle.indexOf(process)
      if (at >= 0) this.#idle.splice(at, 1)
    }
    return process
  }

  /** Only where a task waits: otherwise the next one starts it. None waits once these are stopped. */
  #replacement(): TaskProcess | undefined {
    return this.#waiting.size > 0 ? this.#start() : undefined
  }

  #free(process: TaskProcess | undefined): void {
    if (!process) return
    const next = this.#waiting.shift()
    if (next) next.resolve(process)
    else {
      this.#idle.push(process)
      process.rest(this.#options.idleMs)
    }
  }
}

/** The time that one request, or one step, may keep processes busy. What is run on it takes turns. */
export class TimeBudget {
  #spentMs = 0
  #last: Promise<unknown> = Promise.resolve()

  /** @param setting names the limit in messages */
  readonly setting: string
  readonly ms: number

  constructor(setting: string, ms: number) {
    this.setting = setting
    this.ms = ms
  }

  get leftMs(): number {
    return Math.max(0, this.ms - this.#spentMs)
  }

  spend(ms: number): void {
    this.#spentMs += ms
  }

  /** Runs work after all that was given before: one request holds one process at most. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#last.then(work)
    this.#last = turn.catch(() => {})
    return turn
  }
}
