import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PubSub } from '../../shared/pub-sub/pub-sub.ts'
import type { RunUpdate, StepResult } from '../runners/run-scenario.ts'
import type { ExecutionRepository } from './execution.repository.ts'
import { EXECUTION_CHANGED, type Execution } from './execution.ts'

/** Writes updates in order, one transaction at a time; what arrives in one turn of the event loop, or meanwhile, shares one. */
export class UpdateRecorder {
  readonly #lost = new AbortController()
  /** Aborted when nothing more can be written: another attempt took the execution over, or storage failed. */
  readonly lost = this.#lost.signal
  readonly #steps = new Map<string, StepResult>()
  #waiting: RunUpdate[] = []
  #writing: Promise<void> | null = null
  #closed = false
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

  /**
   * Writes no more. @returns the updates that still wait, for the transaction that ends the execution
   * @throws what kept an update from being written
   */
  async close(): Promise<RunUpdate[]> {
    this.#closed = true
    await this.#writing
    if (this.#failure) throw this.#failure
    return this.#waiting.splice(0)
  }

  async #write(): Promise<void> {
    const { id, attempt } = this.execution
    await nextTurn()
    while (this.#waiting.length > 0 && !this.#closed && !this.lost.aborted) {
      const updates = this.#waiting.splice(0)
      for (const update of updates)
        if (update.kind === 'STEP') this.#steps.set(update.step.id, update.step)
      const ours = await this.repository.append(id, attempt, updates, [...this.#steps.values()])
      if (!ours) this.#lost.abort(new Error('Another worker has taken the execution over'))
      else void this.pubSub.publish(EXECUTION_CHANGED, id)
    }
    this.#writing = null
  }
}
