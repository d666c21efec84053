import { setTimeout as delay } from 'node:timers/promises'
import type { PubSub } from '../../../../platform/pub-sub/pub-sub.ts'
import type { RunUpdate, StepResult } from '../../../../runner/run/run-scenario.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionRepository } from '../execution.repository.ts'
import { EXECUTION_CHANGED } from '../execution.ts'

/** Each write is a transaction: updates wait this long for more of them, or for the end of the execution, which takes them along. */
const GATHER_MS = 25
/** So many steps are rewritten at most once in `REWRITE_MS` while an execution runs. */
const MANY_STEPS = 100
const REWRITE_MS = 1_000

/** Writes updates in order, one transaction at a time; those of `GATHER_MS`, or of the time that a write takes, share one. */
export class UpdateRecorder {
  readonly #lost = new AbortController()
  /** Aborted when nothing more can be written: another attempt took the execution over, or storage failed. */
  readonly lost = this.#lost.signal
  readonly #steps = new Map<string, StepResult>()
  #stepsWritten = 0
  #waiting: RunUpdate[] = []
  #writing: Promise<void> | null = null
  readonly #closed = new AbortController()
  #failure: unknown

  constructor(
    private readonly repository: ExecutionRepository,
    private readonly pubSub: PubSub,
    private readonly execution: Execution,
  ) {}

  add(update: RunUpdate): void {
    this.#waiting.push(update)
    this.#writing ??= this.#write().catch((error: unknown) => {
      this.#failure = error
      this.#lost.abort(error)
    })
  }

  /** Forgets what waits and, once nothing more can be written, never will be: what comes now is another matter. */
  forget(): void {
    this.#waiting = []
  }

  /**
   * Writes no more. @returns the updates that still wait, for the transaction that ends the execution
   * @throws what kept an update from being written
   */
  async close(): Promise<RunUpdate[]> {
    this.#closed.abort()
    await this.#writing
    if (this.#failure) throw this.#failure
    return this.#waiting.splice(0)
  }

  async #write(): Promise<void> {
    const { id } = this.execution
    const goesOn = () =>
      this.#waiting.length > 0 && !this.#closed.signal.aborted && !this.lost.aborted
    for (await this.#gather(); goesOn(); await this.#gather()) {
      const updates = this.#waiting.splice(0)
      for (const update of updates)
        if (update.kind === 'STEP') this.#steps.set(update.step.path ?? update.step.id, update.step)
      const ours = await this.repository.append(this.execution, updates, this.#stepsToWrite())
      if (ours) void this.pubSub.publish(EXECUTION_CHANGED, id)
      else {
        this.#waiting = [...updates, ...this.#waiting]
        this.#lost.abort(new Error('The execution has ended, or another worker has taken it over'))
      }
    }
    this.#writing = null
  }

  async #gather(): Promise<void> {
    const { signal } = this.#closed
    await delay(GATHER_MS, undefined, { signal }).catch(() => {}) // closed: nothing more is to come
  }

  /** All steps, as they are stored together; of very many not with each update. */
  #stepsToWrite(): StepResult[] | null {
    const now = performance.now()
    if (this.#steps.size > MANY_STEPS && now - this.#stepsWritten < REWRITE_MS) return null
    this.#stepsWritten = now
    return [...this.#steps.values()]
  }
}
