import { AppError } from '../../../../formats/errors.ts'
import { unlessAway } from '../../../../platform/database/database-error.ts'
import type { PubSub } from '../../../../platform/pub-sub/pub-sub.ts'
import { framed } from '../../../../platform/subgraph/framed-stream.ts'
import type { Interest, Part } from '../../../../platform/tail/interest.ts'
import { Tail } from '../../../../platform/tail/tail.ts'
import { Waiter } from '../../../../platform/tail/waiter.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionRepository } from '../execution.repository.ts'
import {
  EXECUTION_CHANGED,
  EXECUTION_OVER,
  type ExecutionStateName,
  isFinal,
  type StoredUpdate,
} from '../execution.ts'

/** A change of an execution, and the execution as it was then. */
export interface ExecutionChange extends Omit<StoredUpdate, 'executionId' | 'seq' | 'state'> {
  cursor: string
  execution: Execution
}

/** An update, whose number within its execution is its place. */
type PlacedUpdate = StoredUpdate & { position: number }

type ExecutionTail = Tail<PlacedUpdate, ExecutionChange>

const PAGE = 100
/** A message that got lost delays a watcher by this much, never more. */
const LOOK_AGAIN_MS = 2_000

/** Lets people watch executions. Everything shown is read from the database, so nothing shown can be lost. */
export class ExecutionUpdates {
  /** Tails of executions with subscribers. */
  readonly #tails = new Map<string, ExecutionTail>()
  /** Callers that wait for an end. */
  readonly #waiters = new Set<Waiter>()
  #isStopped = false

  constructor(
    private readonly repository: Pick<ExecutionRepository, 'find' | 'load' | 'updatesAfter'>,
    private readonly pubSub: Pick<PubSub, 'subscribe'>,
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
    const now = { ...NO_DETAIL, executionId: id, seq: seen, state }
    return framed({
      first: after == null ? [changeOf(now, execution)] : [],
      rest: isFinal(state) && seen === updateCount ? null : this.#follow(execution, seen),
      isLast: ({ execution: { state } }) => isFinal(state),
    })
  }

  /**
   * An execution once it has ended; null when it is deleted before that.
   * @param accept makes it, and returns the one that stands instead
   * @throws AppError OVERLOADED when the process stops before that
   */
  async ended(id: string, accept?: () => Promise<string>): Promise<Execution | null> {
    const waiter = new Waiter()
    this.#waiters.add(waiter)
    const ignore = this.#listen([EXECUTION_OVER], id, () => waiter.wake())
    try {
      const standing = accept ? await accept() : id
      if (standing !== id) return await this.ended(standing)
      if (!accept) waiter.wake()
      for (;;) {
        await waiter.wait(LOOK_AGAIN_MS)
        if (this.#isStopped) throw stopped(id)
        const execution = await unlessAway(() => this.repository.find(id))
        if (execution === undefined) continue
        if (!execution || isFinal(execution.state)) return execution
      }
    } finally {
      ignore()
      this.#waiters.delete(waiter)
    }
  }

  stop(): void {
    this.#isStopped = true
    for (const waiter of this.#waiters) waiter.wake()
    for (const tail of [...this.#tails.values()]) tail.stop()
  }

  #follow(execution: Execution, seen: number): AsyncIterableIterator<ExecutionChange> {
    const { id } = execution
    const tail = this.#tails.get(id) ?? this.#tailOf(execution)
    this.#tails.set(id, tail)
    const interest: Interest<PlacedUpdate> = {
      key: '',
      select: (updates) => updates,
      read: (after) => this.#read(id, after),
    }
    return tail.follow(interest, seen)
  }

  #tailOf(execution: Execution): ExecutionTail {
    const { id } = execution
    let current = execution
    return new Tail({
      end: async () => execution.updateCount,
      read: (after) => this.#read(id, after),
      itemOf: async (update) => {
        // Its row may have several megabytes. Once it has ended only the teardown of a cancel changes it, whose updates
        // come behind the end: all before are shown without reading it again.
        if (!isFinal(current.state) || isFinal(update.state))
          current = (await this.repository.load(id)) ?? current
        return changeOf(update, current)
      },
      listen: (wake) => this.#listen([EXECUTION_CHANGED, EXECUTION_OVER], id, wake),
      lookAgainMs: LOOK_AGAIN_MS,
      onIdle: () => this.#tails.delete(id),
    })
  }

  /** Numbers have no gaps and follow the order of commit: each update locks its execution. */
  async #read(id: string, after: number): Promise<Part<PlacedUpdate>> {
    const updates = await this.repository.updatesAfter(id, after, PAGE)
    const rows = updates.map((update) => ({ ...update, position: update.seq }))
    const rest = updates.length < PAGE ? 'nothing' : 'more'
    return { rows, next: rows.at(-1)?.position ?? after, rest }
  }

  /** A message without an id means that some were missed. */
  #listen(topics: readonly string[], id: string, wake: () => void): () => void {
    const onMessage = (message: string | null) => {
      if (message === null || message === id) wake()
    }
    const ends = topics.map((topic) => this.pubSub.subscribe(topic, onMessage))
    return () => {
      for (const end of ends) end()
    }
  }
}

const NO_DETAIL = { kind: 'STATE', step: null, log: null } as const

/** Fields that are undecided while an execution runs; an update of that time is replayed without it. */
const UNDECIDED = {
  ended: null,
  message: null,
  errorCode: null,
  validationFailures: [],
  codeCoverage: [],
}

function changeOf(
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

const stopped = (id: string): AppError =>
  new AppError(
    'OVERLOADED',
    `The server stops before the execution ${id} ends; read its result later`,
  )

const expired = (cursor: string): AppError =>
  new AppError(
    'CURSOR_EXPIRED',
    `after: ${JSON.stringify(cursor)} is no cursor of this execution, or its updates were deleted because of their age`,
  )
