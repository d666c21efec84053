import { Repeater } from '@repeaterjs/repeater'
import { AppError } from '../../../schema/errors.ts'
import { DATABASE_AWAY_MS, unlessAway } from '../../shared/database-error.ts'
import type { PubSub } from '../../shared/pub-sub/pub-sub.ts'
import type { ExecutionRepository } from './execution.repository.ts'
import {
  EXECUTION_CHANGED,
  EXECUTION_OVER,
  type Execution,
  type ExecutionStateName,
  isFinal,
  type StoredUpdate,
} from './execution.ts'
import { wakeUps } from './execution.wake-ups.ts'

/** A change of an execution, and the execution as it was then. */
export interface ExecutionChange extends Omit<StoredUpdate, 'executionId' | 'seq' | 'state'> {
  cursor: string
  execution: Execution
}

const PAGE = 100
/** A message that got lost delays a watcher by this much, never more. */
const LOOK_AGAIN_MS = 2_000

/** Lets people watch executions. Everything shown is read from the database, so nothing shown can be lost. */
export class ExecutionUpdates {
  constructor(
    private readonly repository: ExecutionRepository,
    private readonly pubSub: PubSub,
  ) {}

  /**
   * The changes of one execution; ends after its final state.
   * @param after absent: begins with the current state; `""`: with the first change; else behind that cursor
   * @throws AppError CURSOR_EXPIRED for a cursor that is none of this execution's, or behind which updates were deleted
   */
  watch(execution: Execution, after?: string | null): AsyncIterableIterator<ExecutionChange> {
    const { id, updateCount, state, detailsPruned } = execution
    const seen = after == null ? updateCount : after === '' ? 0 : parseCursor(after, updateCount)
    if (detailsPruned && seen < updateCount) throw expired(after ?? '')
    return new Repeater<ExecutionChange>(async (push, stop) => {
      const wakeUp = wakeUps(this.pubSub, [EXECUTION_CHANGED, EXECUTION_OVER], id, stop)
      let running = true
      stop.then(() => {
        running = false
      })
      if (after == null)
        await push(change({ ...NO_DETAIL, executionId: id, seq: seen, state }, execution))
      if (isFinal(state) && seen === updateCount) return stop()

      let seq = seen
      while (running) {
        const found = await unlessAway(() => this.#changes(execution, seq))
        if (!found) {
          await wakeUp(DATABASE_AWAY_MS)
          continue
        }
        const { updates, now } = found
        for (const update of updates) {
          if (!running) return
          await push(change(update, now))
          seq = update.seq
          if (isFinal(update.state)) return stop()
        }
        if (updates.length < PAGE) await wakeUp(LOOK_AGAIN_MS)
      }
    })
  }

  /** A new execution once it has ended; null when it is deleted before that. @param accept makes it */
  async ended(id: string, accept: () => Promise<void>): Promise<Execution | null> {
    let stop = () => {}
    const wakeUp = wakeUps(
      this.pubSub,
      [EXECUTION_OVER],
      id,
      new Promise<void>((resolve) => {
        stop = resolve
      }),
    )
    try {
      await accept()
      for (;;) {
        await wakeUp(LOOK_AGAIN_MS)
        const execution = await unlessAway(() => this.repository.find(id))
        if (execution === undefined) continue
        if (!execution || isFinal(execution.state)) return execution
      }
    } finally {
      stop()
    }
  }

  /** The next updates, and the execution as it is by now. */
  async #changes(execution: Execution, seq: number) {
    const updates = await this.repository.updatesAfter(execution.id, seq, PAGE)
    // One that has ended changes no more.
    const isKnown = updates.length === 0 || isFinal(execution.state)
    const now = isKnown ? null : await this.repository.find(execution.id)
    return { updates, now: now ?? execution }
  }
}

const NO_DETAIL = { kind: 'STATE', step: null, log: null } as const

/** What an execution does not know of itself while it runs; an update of that time is replayed without it. */
const UNDECIDED = {
  ended: null,
  message: null,
  errorCode: null,
  validationFailures: [],
  codeCoverage: [],
}

function change(
  { seq, state, kind, step, log }: StoredUpdate,
  execution: Execution,
): ExecutionChange {
  return { cursor: String(seq), kind, step, log, execution: asItWasIn(state, execution) }
}

/** An execution, shown as when it was in a state. */
export const asItWasIn = (state: ExecutionStateName, execution: Execution): Execution =>
  isFinal(state) ? execution : { ...execution, ...UNDECIDED, state }

function parseCursor(cursor: string, updateCount: number): number {
  const seq = /^\d{1,9}$/.test(cursor) ? Number(cursor) : Number.NaN
  if (seq <= updateCount) return seq
  throw expired(cursor)
}

const expired = (cursor: string): AppError =>
  new AppError(
    'CURSOR_EXPIRED',
    `after: ${JSON.stringify(cursor)} is no cursor of this execution, or its updates were deleted because of their age`,
  )
