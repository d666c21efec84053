import { setTimeout as delay } from 'node:timers/promises'
import { Repeater } from '@repeaterjs/repeater'
import { AppError } from '../../../schema/errors.ts'
import { DATABASE_AWAY_MS, unlessAway } from '../../shared/database-error.ts'
import type { PubSub } from '../../shared/pub-sub/pub-sub.ts'
import { UUID } from './execution.rows.ts'
import { EXECUTION_OVER } from './execution.ts'
import { asItWasIn, type ExecutionChange } from './execution.updates.ts'
import { wakeUps } from './execution.wake-ups.ts'
import type { ExecutionFilter } from './execution-list.repository.ts'
import {
  BEGINNING,
  type StateChange,
  type StateChangeKey,
  type StateChangeRepository,
  type StatePosition,
} from './state-change.repository.ts'

const PAGE = 100
/** It looks no more often than this, however many executions end. */
const PAUSE_MS = 25
/** Ends are announced, begins are not: they are seen after this long. */
const LOOK_AGAIN_MS = 500

/** Lets people watch all executions at once. Everything comes from the database: who resumes loses nothing. */
export class StateChanges {
  constructor(
    private readonly repository: StateChangeRepository,
    private readonly pubSub: Pick<PubSub, 'subscribe'>,
  ) {}

  /**
   * Changes of state in the order of commit; never ends.
   * @param after absent: from now on; `""`: from the oldest that is kept; else behind that cursor
   * @throws AppError CURSOR_EXPIRED for a cursor that is unknown here, or whose change was deleted
   */
  async watch(
    filter: ExecutionFilter,
    after?: string | null,
  ): Promise<AsyncIterableIterator<ExecutionChange>> {
    const start = await this.#start(after)
    return new Repeater<ExecutionChange>(async (push, stop) => {
      const wakeUp = wakeUps(this.pubSub, [EXECUTION_OVER], null, stop)
      let running = true
      stop.then(() => {
        running = false
      })
      for (let position = start; running; ) {
        const part = await unlessAway(() => this.repository.read(position, filter, PAGE))
        if (!part) {
          await wakeUp(DATABASE_AWAY_MS)
          continue
        }
        const { changes, next, rest } = part
        for (const change of changes) {
          if (!running) return
          await push(updateOf(change))
        }
        position = next
        if (rest === 'more') continue
        await delay(PAUSE_MS)
        if (rest === 'nothing') await wakeUp(LOOK_AGAIN_MS)
      }
    })
  }

  async #start(after?: string | null): Promise<StatePosition> {
    if (after == null) return this.repository.end()
    if (after === '') return BEGINNING
    const key = parseCursor(after)
    const position = key && (await this.repository.find(key))
    if (position) return position
    const message = `after: ${JSON.stringify(after)} is no cursor of state changes here, or its execution's updates were deleted because of their age`
    throw new AppError('CURSOR_EXPIRED', message)
  }
}

const updateOf = ({ state, execution, ...key }: StateChange): ExecutionChange => ({
  cursor: cursorOf(key),
  kind: 'STATE',
  step: null,
  log: null,
  execution: asItWasIn(state, execution),
})

const cursorOf = ({ executionId, seq }: StateChangeKey): string =>
  Buffer.from(`${executionId} ${seq}`).toString('base64url')

/** Cursors of former versions begin with a transaction id, which says nothing here: the change has kept its place. */
function parseCursor(cursor: string): StateChangeKey | null {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, executionId, seq] = /^(?:\d{1,19} )?([\da-f-]{36}) (\d{1,9})$/.exec(text) ?? []
  return executionId && UUID.test(executionId) ? { executionId, seq: Number(seq) } : null
}
