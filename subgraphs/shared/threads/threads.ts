import type { Budget } from './budget.ts'
import type { ThrownInThread } from './serve-tasks.ts'
import { Thread, type ThreadOptions } from './thread.ts'

export interface ThreadsOptions extends ThreadOptions {
  /** Threads at a time. */
  max: number
  /** Tasks that wait for a thread; more are refused. */
  maxWaiting: number
  /** A thread without work for longer is ended; null keeps it. */
  idleMs: number | null
  /** The error to throw for one that a task threw. */
  revive(thrown: ThrownInThread): Error
  /** The error to throw for a task that took too much of what `limit` says. */
  refuse(limit: Excess, budget: Budget): Error
}

/** What a task had too much of: time of its budget, memory, or others waiting before it. */
export type Excess = 'time' | 'memory' | 'waiting'

/** Started by the first task, and replaced where a task had to be ended. Threads keep no process alive. */
export class Threads {
  readonly #options: ThreadsOptions
  readonly #all = new Set<Thread>()
  /** The last one used is the first to be used again, so that others can end. */
  readonly #idle: Thread[] = []
  readonly #waiting: ((thread: Thread) => void)[] = []
  #isStopped = false

  constructor(options: ThreadsOptions) {
    this.#options = options
  }

  /** Starts a thread, so that the first task does not wait for it. */
  prepare(): void {
    if (this.#all.size === 0) this.#free(this.#start())
  }

  /** Runs a task of the threads' module. Its result comes as that module returned it. @throws as `revive` and `refuse` say */
  run<Result>(name: string, input: unknown, budget: Budget): Promise<Result> {
    return budget.inTurn(async () => {
      if (this.#isStopped) throw new Error('The threads were stopped')
      if (budget.leftMs === 0) throw this.#options.refuse('time', budget)
      const thread = await this.#acquire(budget)
      try {
        return (await this.#runOn(thread, name, input, budget)) as Result
      } finally {
        this.#free(thread.hasEnded ? this.#replacement() : thread)
      }
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    const all = [...this.#all]
    this.#all.clear()
    await Promise.all(all.map((thread) => thread.end()))
  }

  async #runOn(thread: Thread, name: string, input: unknown, budget: Budget): Promise<unknown> {
    const { end, ms } = await thread.run(name, input, budget.leftMs)
    budget.spend(ms)
    if (typeof end === 'string') throw this.#options.refuse(end, budget)
    if ('thrown' in end) throw this.#options.revive(end.thrown)
    return end.result
  }

  #acquire(budget: Budget): Promise<Thread> {
    const idle = this.#idle.pop()
    if (idle) return Promise.resolve(idle)
    if (this.#all.size < this.#options.max) return Promise.resolve(this.#start())
    if (this.#waiting.length >= this.#options.maxWaiting)
      throw this.#options.refuse('waiting', budget)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  #start(): Thread {
    const thread = new Thread(this.#options)
    this.#all.add(thread)
    thread.onEnd = () => {
      this.#all.delete(thread)
      const at = this.#idle.indexOf(thread)
      if (at >= 0) this.#idle.splice(at, 1)
    }
    return thread
  }

  /** Only where somebody waits: otherwise the next task starts one. */
  #replacement(): Thread | undefined {
    return this.#waiting.length > 0 ? this.#start() : undefined
  }

  #free(thread: Thread | undefined): void {
    if (!thread) return
    const next = this.#waiting.shift()
    if (next) next(thread)
    else {
      this.#idle.push(thread)
      thread.rest(this.#options.idleMs)
    }
  }
}
