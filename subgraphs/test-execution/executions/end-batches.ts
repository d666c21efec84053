import type { PubSub } from '../../platform/pub-sub/pub-sub.ts'
import type { ExecutionRepository } from './execution.repository.ts'
import { EXECUTION_CHANGED, EXECUTION_OVER } from './execution.ts'
import type { End } from './execution-end.repository.ts'

/** Ends that no slot waits for gather this long. */
const GATHER_MS = 25
/** As many ends are written at once, without waiting for more. */
const ENOUGH = 50

interface Waiting {
  end: End
  resolve: (hasEnded: boolean) => void
  reject: (reason: unknown) => void
}

/**
 * Writes the ends of a worker's executions. Those of one suite that come within `GATHER_MS`, or within the time that a
 * transaction takes, share one; so do those of no suite.
 */
export class EndBatches {
  readonly #bySuite = new Map<string | null, Batch>()

  constructor(
    private readonly repository: Pick<ExecutionRepository, 'finish'>,
    private readonly pubSub: Pick<PubSub, 'publish'>,
  ) {}

  /**
   * @param isUrgent whether it may not wait for others
   * @returns whether the execution has ended now; false when it is no longer this attempt's
   */
  write(end: End, isUrgent: boolean): Promise<boolean> {
    const { suiteId } = end.execution
    let batch = this.#bySuite.get(suiteId)
    if (!batch) {
      batch = new Batch(
        (ends) => this.#finish(suiteId, ends),
        () => this.#bySuite.delete(suiteId),
      )
      this.#bySuite.set(suiteId, batch)
    }
    return batch.add(end, isUrgent)
  }

  async #finish(suiteId: string | null, ends: readonly End[]): Promise<Set<string>> {
    const ended = await this.repository.finish(suiteId, ends)
    for (const id of ended) void this.pubSub.publish(EXECUTION_OVER, id)
    if (suiteId && ended.length > 0) void this.pubSub.publish(EXECUTION_CHANGED, suiteId)
    return new Set(ended)
  }
}

class Batch {
  #waiting: Waiting[] = []
  #timer: NodeJS.Timeout | undefined
  #isWriting = false
  #isDue = false

  constructor(
    private readonly finish: (ends: readonly End[]) => Promise<Set<string>>,
    private readonly onIdle: () => void,
  ) {}

  add(end: End, isUrgent: boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ end, resolve, reject })
      if (isUrgent || this.#waiting.length >= ENOUGH) this.#writeDue()
      else this.#timer ??= setTimeout(() => this.#writeDue(), GATHER_MS)
    })
  }

  #writeDue(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isDue = true
    if (!this.#isWriting) void this.#write()
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#isDue) {
      this.#isDue = false
      await this.#settle(this.#waiting.splice(0))
    }
    this.#isWriting = false
    if (this.#waiting.length === 0) this.onIdle()
  }

  async #settle(batch: readonly Waiting[]): Promise<void> {
    try {
      const ended = await this.finish(batch.map(({ end }) => end))
      for (const { end, resolve } of batch) resolve(ended.has(end.execution.id))
    } catch (error) {
      if (batch.length === 1) batch[0]?.reject(error)
      // One of them may be what the database refuses.
      else for (const each of batch) await this.#settle([each])
    }
  }
}
