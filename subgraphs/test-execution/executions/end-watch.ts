import type { PubSub } from '../../platform/pub-sub/pub-sub.ts'
import { RunError } from '../runners/run-error.ts'
import type { ExecutionRepository } from './execution.repository.ts'
import { EXECUTION_CANCELLED, type Execution } from './execution.ts'

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
