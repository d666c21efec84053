import type { PubSub } from '../../../../platform/pub-sub/pub-sub.ts'
import { RunError } from '../../../../runner/run/error.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionRepository } from '../execution.repository.ts'
import { EXECUTION_CANCELLED, EXECUTION_CHANGED, EXECUTION_OVER } from '../execution.ts'
import type { End } from './end.repository.ts'

/** A message that got lost leaves a cancelled execution running for this long, never longer. */
const LOOK_AGAIN_MS = 1_000

/** Notices that executions of this worker were cancelled or taken over, also those that write nothing. */
export class EndWatch {
  readonly #running = new Map<string, { attempt: number; ended: AbortController }>()
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> | null = null

  constructor(
    private readonly repository: Pick<ExecutionRepository, 'runningAttempts'>,
    pubSub: Pick<PubSub, 'subscribe'>,
  ) {
    pubSub.subscribe(EXECUTION_CANCELLED, (id) => {
      if (id === null ? this.#running.size > 0 : this.#running.has(id)) this.#look()
    })
  }

  /** @returns a signal that aborts when the run is no longer wanted, and the release of this watch */
  watch({ id, attempt }: Execution): { signal: AbortSignal; release(): void } {
    const ended = new AbortController()
    this.#running.set(id, { attempt, ended })
    this.#timer ??= setInterval(() => this.#look(), LOOK_AGAIN_MS)
    return {
      signal: ended.signal,
      release: () => {
        if (this.#running.get(id)?.ended === ended) this.#running.delete(id)
        if (this.#running.size > 0) return
        clearInterval(this.#timer)
        this.#timer = undefined
      },
    }
  }

  #look(): void {
    this.#looking ??= this.#endThoseThatEnded()
      .catch(() => {}) // the database is away; the next look finds out
      .finally(() => {
        this.#looking = null
      })
  }

  async #endThoseThatEnded(): Promise<void> {
    const looked = [...this.#running]
    const attempts = await this.repository.runningAttempts(looked.map(([id]) => id))
    for (const [id, { attempt, ended }] of looked)
      if (attempts.get(id) !== attempt)
        ended.abort(
          new RunError(
            'CANCELLED',
            attempts.has(id)
              ? 'Another worker has taken the execution over'
              : 'The execution was cancelled',
          ),
        )
  }
}

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
