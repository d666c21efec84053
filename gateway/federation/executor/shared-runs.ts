import type { ExecutionResult } from 'graphql'
import type { Context } from '../../../platform/access/caller.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import { turnEnd } from '../turn-end.ts'
import type { Json } from './own.ts'

/** Equal for contexts that subgraphs must answer alike. */
export type ContextKey = (context: Context) => string

interface Run<Result> {
  requestId: string
  /**
   * Taken back when nothing joins any more. A map that grew or shrank leaves its former table behind, with what stood in
   * it and a way to the next table: collections of the young generation keep all that these tables lead to.
   */
  result: Promise<Result> | undefined
}

/** Counts mutations that ended and events that came: a client that knows of a change must not get a stale read. */
export class Changes {
  /** True if other processes change the same data: then no query joins a run that has begun. */
  readonly othersChange: boolean
  count = 0

  constructor({ othersChange = false } = {}) {
    this.othersChange = othersChange
  }
}

/**
 * Equal queries of equal callers share one run until its first fetch has an answer. A later query gets a run of its own,
 * as the data may be stale. No query joins across a change.
 */
export class SharedRuns<Result extends ExecutionResult = ExecutionResult> {
  readonly #open = new Map<string, Run<Result>>()
  readonly #changes: Changes
  readonly #log: Logger

  readonly #contextKey: ContextKey

  constructor(changes: Changes, log: Logger, contextKey: ContextKey) {
    this.#changes = changes
    this.#log = log
    this.#contextKey = contextKey
  }

  /**
   * @param begin gets what to call when the first fetch has an answer
   * @returns a shared result; callers must not change it
   */
  join(
    variables: Json,
    context: Context,
    begin: (close: () => void) => Promise<Result>,
  ): Promise<Result> {
    const key = `${this.#changes.count}\n${JSON.stringify(variables)}\n${this.#contextKey(context)}`
    const { requestId } = context.caller
    const open = this.#open.get(key)
    if (open?.result) return this.#joined(open.result, open.requestId, requestId)
    const close = () => {
      if (this.#open.get(key) === run) this.#open.delete(key)
      run.result = undefined
    }
    const result = this.#begun(begin, close)
    const run: Run<Result> = { requestId, result }
    this.#open.set(key, run)
    return result
  }

  async #begun(begin: (close: () => void) => Promise<Result>, close: () => void): Promise<Result> {
    await turnEnd() // local subgraphs may answer before the next request is parsed
    if (this.#changes.othersChange) close()
    try {
      return await begin(close)
    } finally {
      close()
    }
  }

  /** Log entries of a fault carry the id of the request that began the run. */
  async #joined(result: Promise<Result>, runOf: string, requestId: string): Promise<Result> {
    const made = await result
    if (made.errors) this.#log.info({ requestId, runOf }, 'A request shared a run that had faults')
    return made
  }
}
