import { promisify } from 'node:util'
import type { ExecutionResult } from 'graphql'
import type { Context } from '../../../subgraphs/shared/caller.ts'
import { contextKey } from '../../links/caller-key.ts'
import type { Json } from './own.ts'
import type { SharedFetches } from './shared-fetches.ts'

/** Whatever arrived together has been read then: subgraphs in this process may answer before anybody else is heard. */
const turnEnd = promisify(setImmediate)

/**
 * Equal queries of equal callers are one run, as long as it has read nothing: whoever asks later gets a run of its own,
 * so that nobody is told what was read before he asked. None joins across a change that `SharedFetches` knows of.
 */
export class SharedRuns {
  readonly #open = new Map<string, Promise<ExecutionResult>>()
  readonly #fetches: SharedFetches

  constructor(fetches: SharedFetches) {
    this.#fetches = fetches
  }

  /**
   * @param begin gets what to call when the first fetch has an answer
   * @returns a result that others have, too, so nobody may change it
   */
  join(
    variables: Json,
    context: Context,
    begin: (close: () => void) => Promise<ExecutionResult>,
  ): Promise<ExecutionResult> {
    const key = `${this.#fetches.changes}\n${JSON.stringify(variables)}\n${contextKey(context)}`
    const open = this.#open.get(key)
    if (open) return open
    const close = () => {
      if (this.#open.get(key) === run) this.#open.delete(key)
    }
    const run = turnEnd()
      .then(() => begin(close))
      .finally(close)
    this.#open.set(key, run)
    return run
  }
}
