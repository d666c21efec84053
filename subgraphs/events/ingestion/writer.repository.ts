import type { MikroORM } from '@mikro-orm/postgresql'
import { arraysOf, type Copy, copyOf } from '../../../platform/database/copy.ts'
import { inTransaction, runCopies, runSql, type Sql } from '../../../platform/database/sql.ts'
import type { HorizonRepository } from '../../../platform/position/horizon.repository.ts'
import { changeKindOf, type State } from '../notifications/change.ts'
import { countOccurrence, type EventState, firstState, type StatusChange } from './event-state.ts'
import type { Batch, Outcome } from './group-commit.ts'
import type { Occurrence } from './occurrence.ts'
import { claimKeys, newItems } from './repeated.repository.ts'
import {
  CAUSE,
  KNOWN_EVENT,
  MINUTE,
  type MinuteCount,
  NEW_EVENT,
  type NewEvent,
  RAW_EVENT,
  STATE_CHANGE,
  STATUS_CHANGE,
  type StateChange,
} from './writer.columns.ts'
import {
  LAST_ID,
  LINK_EXECUTIONS,
  LOCK_EVENTS,
  SETTINGS,
  UPDATE_EVENTS,
} from './writer.statements.ts'

/** Everything of a transaction is written; only its commit is outstanding. */
export interface Prepared {
  /** The last occurrence and the id of its raw event: where this row can be read, the transaction has committed. */
  witness: Occurrence & { id: string }
  outcomes: Outcome[]
}

/** Judges of noted changes. */
interface Rules {
  readonly isOn: boolean
  /** After each transaction that has noted some: others may be open meanwhile. */
  wake(): void
}

const NO_RULES: Rules = { isOn: false, wake: () => {} }

export type CommitStatus = 'committed' | 'aborted' | 'in progress'

/** Stores batches in one transaction: events, raw events, counts, changes of status and answers, or nothing. */
export class WriterRepository {
  readonly #orm: MikroORM
  readonly #horizon: Pick<HorizonRepository, 'read'>

  readonly #rules: Rules

  /** @param rules that judge changes of state: without one, none is noted */
  constructor(orm: MikroORM, horizon: Pick<HorizonRepository, 'read'>, rules: Rules = NO_RULES) {
    this.#orm = orm
    this.#horizon = horizon
    this.#rules = rules
  }

  /**
   * @param batches at most one for each idempotency key
   * @param onPrepared is called just before the commit, unless there is nothing to store
   * @returns an outcome for each batch; committed when it resolves
   */
  async write(
    batches: readonly Batch[],
    onPrepared?: (prepared: Prepared) => void,
  ): Promise<Outcome[]> {
    let isNoted = false
    const writing = inTransaction(
      this.#orm.em,
      async (sql) => {
        const outcomes = await claimKeys(sql, batches)
        const items = batches
          .filter((_, position) => !outcomes[position]?.isReplay)
          .flatMap((batch) => batch.items)
        const occurrences = (await newItems(sql, items)).map(({ occurrence }) => occurrence)
        const last = occurrences.at(-1)
        if (last) {
          const { id, hasNoted } = await deduplicate(sql, occurrences, this.#rules.isOn)
          isNoted = hasNoted
          onPrepared?.({ witness: { ...last, id }, outcomes })
        }
        return outcomes
      },
      { settings: SETTINGS, isAudited: false }, // events are their own record
    )
    // A commit whose connection was lost may have happened, too.
    return writing.finally(() => {
      if (isNoted) this.#rules.wake()
    })
  }

  /** Tries to write a batch and undoes it. @throws what the database objects to */
  async rehearse(batch: Batch): Promise<void> {
    const undo = new Error('A rehearsal is never committed')
    await this.write([{ ...batch, idempotency: null }], () => {
      throw undo
    }).catch((error) => {
      if (error !== undo) throw error
    })
  }

  /**
   * Finds out if a transaction whose connection was lost has committed. While it goes on, it holds the horizon below its ids.
   * The id alone proves nothing: a database that crashed may draw the ids of lost transactions again.
   */
  async statusOf({ witness: { eventId, receivedAt, id } }: Prepared): Promise<CommitStatus> {
    const { complete, isHeldBack } = await this.#horizon.read()
    if (isHeldBack && BigInt(complete) < BigInt(id)) return 'in progress'
    // A statement of its own: it must see what has committed up to now.
    const rows = await runSql(this.#orm.em, FIND_WITNESS, [eventId, receivedAt, id])
    return rows.length > 0 ? 'committed' : 'aborted'
  }
}

const FIND_WITNESS =
  'select from events.raw_event where event_id = $1 and received_at = $2 and id = $3'

/**
 * Counts occurrences into their events and stores them, in the transaction of `sql`.
 * @param occurrences in order of receipt
 * @param notesChanges for rules
 * @returns the id of the last one's raw event, and whether a change was noted
 * @throws Raced when another process created one of the events meanwhile
 */
export async function deduplicate(
  sql: Sql,
  occurrences: readonly Occurrence[],
  notesChanges = false,
): Promise<{ id: string; hasNoted: boolean }> {
  const byEvent = Map.groupBy(occurrences, ({ eventId }) => eventId)
  const ids = [...byEvent.keys()].sort()
  const known = await lockEvents(sql, ids)
  const created: NewEvent[] = []
  const changes: StatusChange[] = []
  const noted: StateChange[] = []
  const newMinutes: MinuteCount[] = []
  const knownMinutes: MinuteCount[] = []
  for (const id of ids) {
    const all = byEvent.get(id) ?? []
    const [first] = all
    if (!first) continue
    const before = known.get(id)
    const state = before ?? firstState(first)
    for (const occurrence of all) {
      const isIn = !before && occurrence === first
      const former = notesChanges && !isIn ? stateIn(state) : null
      const change = isIn ? null : countOccurrence(state, occurrence)
      if (change) changes.push(change)
      if (notesChanges) noteState(noted, former, state, occurrence)
    }
    if (!before) created.push({ first, state })
    countMinutes(before ? knownMinutes : newMinutes, all)
  }

  if (known.size > 0)
    await runSql(sql, UPDATE_EVENTS, [
      ...arraysOf(KNOWN_EVENT, [...known.values()]),
      ...arraysOf(MINUTE, knownMinutes),
    ])
  const first = new Set(created.map((event) => event.first))
  const raw = occurrences.map((occurrence) => ({ occurrence, isNew: first.has(occurrence) }))
  const id = await append(sql, [
    ...copyOf('events.event', NEW_EVENT, created),
    ...copyOf('events.event_minute', MINUTE, newMinutes),
    ...copyOf('events.raw_event', RAW_EVENT, raw),
    ...copyOf('events.status_change', STATUS_CHANGE, changes),
    ...copyOf('events.state_change', STATE_CHANGE, noted),
  ])
  const causes = occurrences.flatMap(({ cause, eventId }) => (cause ? [{ ...cause, eventId }] : []))
  if (causes.length > 0) await runSql(sql, LINK_EXECUTIONS, arraysOf(CAUSE, causes))
  return { id, hasNoted: noted.length > 0 }
}

const stateIn = ({ status, severity }: EventState): State => ({ status, severity })

function noteState(
  noted: StateChange[],
  former: State | null,
  state: EventState,
  { receivedAt: at, cause }: Occurrence,
): void {
  const kind = changeKindOf(former, state)
  const executionId = cause?.executionId
  if (kind) noted.push({ eventId: state.id, at, kind, executionId, ...stateIn(state) })
}

/** Another transaction created an event that this one would have created: done again, it will know the event. */
export class Raced extends Error {
  /** The code of a late transaction in PostgreSQL (serialization_failure). */
  readonly code = '40001'
}

/** @param query behind the copies @returns the first value of the query @throws Raced */
export async function append(sql: Sql, copies: readonly Copy[], query = LAST_ID): Promise<string> {
  try {
    return await runCopies(sql, copies, query)
  } catch (cause) {
    const { code, constraint } = cause as { code?: unknown; constraint?: unknown }
    if (code !== UNIQUE_VIOLATION || constraint !== 'event_pkey') throw cause
    throw new Raced('An event was created meanwhile', { cause })
  }
}

const UNIQUE_VIOLATION = '23505'

/** Locks events in the order of their ids. @returns those that are there */
export async function lockEvents(
  sql: Sql,
  ids: readonly string[],
): Promise<Map<string, EventState>> {
  const rows = await runSql<LockedRow>(sql, LOCK_EVENTS, [`{${ids.join()}}`])
  return new Map(rows.map((row) => [row.id, stateOf(row)]))
}

type LockedRow = Pick<EventState, 'id' | 'severity' | 'status' | 'timesSeen'> &
  Record<'firstSeenMs' | 'lastSeenMs' | 'lastUpdatedMs', number>

const stateOf = ({ firstSeenMs, lastSeenMs, lastUpdatedMs, ...row }: LockedRow): EventState => ({
  ...row,
  firstSeenAt: new Date(firstSeenMs),
  lastSeenAt: new Date(lastSeenMs),
  lastUpdatedAt: new Date(lastUpdatedMs),
  latest: null,
  executionId: null,
})

const MINUTE_MS = 60_000

/** Appends the counts of one event, in order of minute. */
function countMinutes(counts: MinuteCount[], occurrences: readonly Occurrence[]): void {
  const minutes: MinuteCount[] = []
  for (const { eventId, receivedAt } of occurrences) {
    const start = Math.floor(receivedAt.getTime() / MINUTE_MS) * MINUTE_MS
    const count = minutes.find(({ minute }) => minute.getTime() === start)
    if (count) count.occurrences++
    else minutes.push({ eventId, minute: new Date(start), occurrences: 1 })
  }
  if (minutes.length > 1) minutes.sort((a, b) => Number(a.minute) - Number(b.minute))
  counts.push(...minutes)
}
