import { AppError } from '../../../../formats/errors.ts'
import type { PubSub } from '../../../../platform/pub-sub/pub-sub.ts'
import type { Interest } from '../../../../platform/tail/interest.ts'
import { Tail } from '../../../../platform/tail/tail.ts'
import type { Execution } from '../execution.entity.ts'
import { UUID } from '../execution.rows.ts'
import { EXECUTION_OVER } from '../execution.ts'
import { type ExecutionFilter, matcherOf } from '../list/filter.ts'
import type {
  StateChange,
  StateChangeKey,
  StateChangeRepository,
} from './state-change.repository.ts'
import { asItWasIn, type ExecutionChange } from './updates.ts'

/** Ends are announced, begins are not: they are seen after this long. */
const LOOK_AGAIN_MS = 500

/** Executions that are read together, each of them whole: the largest has some MiB. */
const AT_ONCE = 2

/** Lets people watch all executions at once. Everything comes from the database: who resumes loses nothing. */
export class StateChanges {
  readonly #tail: Tail<StateChange, ExecutionChange>

  constructor(
    private readonly repository: StateChangeRepository,
    pubSub: Pick<PubSub, 'subscribe'>,
  ) {
    this.#tail = new Tail({
      end: () => repository.end(),
      read: (after) => repository.read(after, {}),
      async itemOf(change) {
        const execution = await repository.loadExecution(change.executionId)
        if (!execution) throw new Error('A change of state without its execution')
        return updateOf(change, execution)
      },
      listen: (wake) => pubSub.subscribe(EXECUTION_OVER, wake),
      atOnce: AT_ONCE,
      lookAgainMs: LOOK_AGAIN_MS,
    })
  }

  /**
   * Changes of state in the order of commit; never ends.
   * @param after absent: from now on; `""`: from the oldest that is kept; else behind that cursor
   * @throws AppError CURSOR_EXPIRED for a cursor that is unknown here, or whose change was deleted
   */
  async watch(
    filter: ExecutionFilter,
    after?: string | null,
  ): Promise<AsyncIterableIterator<ExecutionChange>> {
    return this.#tail.follow(this.#interestIn(filter), await this.#start(after))
  }

  /** The cursor to watch from: behind it comes everything that a list read from now on may lack. */
  async cursor(): Promise<string> {
    const last = await this.repository.last()
    return last ? cursorOf(last) : ''
  }

  stop(): void {
    this.#tail.stop()
  }

  #interestIn(filter: ExecutionFilter): Interest<StateChange> {
    const matches = matcherOf(filter)
    return {
      key: JSON.stringify(Object.entries(filter).sort(([a], [b]) => (a < b ? -1 : 1))),
      read: (after) => this.repository.read(after, filter),
      select: (changes) => changes.filter(matches),
    }
  }

  async #start(after?: string | null): Promise<number> {
    if (after == null) return this.repository.end()
    if (after === '') return 0
    const key = parseCursor(after)
    const position = key && (await this.repository.find(key))
    if (position) return position
    const message = `after: ${JSON.stringify(after)} is no cursor of state changes here, or its execution's updates were deleted because of their age`
    throw new AppError('CURSOR_EXPIRED', message)
  }
}

const updateOf = (change: StateChange, execution: Execution): ExecutionChange => ({
  cursor: cursorOf(change),
  kind: 'STATE',
  step: null,
  log: null,
  execution: asItWasIn(change.state, execution),
})

const cursorOf = ({ executionId, seq }: StateChangeKey): string =>
  Buffer.from(`${executionId} ${seq}`).toString('base64url')

/** Cursors of former versions begin with a transaction id, which says nothing here: the change has kept its place. */
function parseCursor(cursor: string): StateChangeKey | null {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, executionId, seq] = /^(?:\d{1,19} )?([\da-f-]{36}) (\d{1,9})$/.exec(text) ?? []
  return executionId && UUID.test(executionId) ? { executionId, seq: Number(seq) } : null
}
