import type { MikroORM } from '@mikro-orm/postgresql'
import { arraysOf, type Copy, copyOf } from '../../../platform/database/copy.ts'
import { inTransaction, runCopies, runSql, type Sql } from '../../../platform/database/sql.ts'
import type { HorizonRepository } from '../../../platform/position/horizon.repository.ts'
import { isOfOneCall, KEY_LIFETIME_MS } from '../../../platform/request/idempotency-key.ts'
import { countOccurrence, type EventState, firstState, type StatusChange } from './event-state.ts'
import {
  answerOf,
  type Batch,
  type IngestionAnswer,
  type Outcome,
  type Replay,
  stored,
} from './group-commit.ts'
import type { Occurrence } from './occurrence.ts'
import {
  CAUSE,
  KNOWN_EVENT,
  MINUTE,
  type MinuteCount,
  NEW_EVENT,
  type NewEvent,
  RAW_EVENT,
  STATUS_CHANGE,
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

export type CommitStatus = 'committed' | 'aborted' | 'in progress'

/** Stores batches in one transaction: events, raw events, counts, changes of status and answers, or nothing. */
export class WriterRepository {
  readonly #orm: MikroORM
  readonly #horizon: Pick<HorizonRepository, 'read'>

  constructor(orm: MikroORM, horizon: Pick<HorizonRepository, 'read'>) {
    this.#orm = orm
    this.#horizon = horizon
  }

  /**
   * @param batches at most one for each idempotency key
   * @param onPrepared is called just before the commit, unless there is nothing to store
   * @returns an outcome for each batch; committed when it resolves
   */
  write(batches: readonly Batch[], onPrepared?: (prepared: Prepared) => void): Promise<Outcome[]> {
    return inTransaction(
      this.#orm.em,
      async (sql) => {
        const outcomes = await claimKeys(sql, batches)
        const occurrences = batches
          .filter((_, position) => !outcomes[position]?.isReplay)
          .flatMap(({ items }) => items.map(({ occurrence }) => occurrence))
        const last = occurrences.at(-1)
        if (last) {
          const id = await deduplicate(sql, occurrences)
          onPrepared?.({ witness: { ...last, id }, outcomes })
        }
        return outcomes
      },
      { settings: SETTINGS, isAudited: false }, // events are their own record
    )
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

/** Claims free keys, and keys whose answer is older than $2. $1: rows in order of (account, key). */
const CLAIM_KEYS = `
  insert into events.answered_request as held (account, key, digest, result, answered_at)
  select account, key, digest, result, now()
  from json_to_recordset($1) as row(account text, key text, digest text, result jsonb)
  on conflict (account, key) do update
    set digest = excluded.digest, result = excluded.result, answered_at = excluded.answered_at
    where held.answered_at < $2
  returning account, key`

/**
 * Takes the batches' idempotency keys in the transaction of `sql`, together with the answers they will get. Where
 * another transaction holds a key, it waits for that one's end. A batch without events takes none: it may come again
 * under its key when it is mended.
 */
async function claimKeys(sql: Sql, batches: readonly Batch[]): Promise<Outcome[]> {
  if (batches.every(({ idempotency }) => !idempotency)) return batches.map(stored)
  const oldest = new Date(Date.now() - KEY_LIFETIME_MS)
  const former = await formerAnswers(sql, batches, oldest)
  const keyed = batches.flatMap((batch) =>
    batch.idempotency && batch.items.length > 0 && !former.has(batch)
      ? [{ batch, ...batch.idempotency }]
      : [],
  )
  const rows = keyed
    .map(({ batch, account, key, digest }) => ({ account, key, digest, result: answerOf(batch) }))
    .sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  const claimed =
    rows.length > 0 ? await runSql<KeyName>(sql, CLAIM_KEYS, [JSON.stringify(rows), oldest]) : []
  const claimedNames = new Set(claimed.map(nameOf))
  return Promise.all(
    batches.map(async (batch) => {
      const { idempotency } = batch
      if (!idempotency || claimedNames.has(nameOf(idempotency))) return stored(batch)
      const earlier = former.get(batch) ?? (await earlierAnswer(sql, idempotency, oldest))
      if (earlier && !isLeftToAnotherPart(batch, earlier)) return earlier
      if (batch.items.length > 0) throw new Error('An idempotency key was held and has gone')
      return stored(batch)
    }),
  )
}

/** Answers that the version before gave, which knew users of an issuer by their names. */
async function formerAnswers(
  sql: Sql,
  batches: readonly Batch[],
  oldest: Date,
): Promise<Map<Batch, Replay>> {
  const answers = new Map<Batch, Replay>()
  for (const batch of batches) {
    const { formerAccount: account, key = '' } = batch.idempotency ?? {}
    const earlier =
      account === undefined ? null : await earlierAnswer(sql, { account, key }, oldest)
    if (earlier && !isLeftToAnotherPart(batch, earlier)) answers.set(batch, earlier)
  }
  return answers
}

/** The key of a call is held by its first part that has events: those before it took none. */
const isLeftToAnotherPart = ({ items, idempotency }: Batch, held: Replay): boolean =>
  items.length === 0 &&
  idempotency !== null &&
  idempotency.digest !== held.digest &&
  isOfOneCall(idempotency.digest, held.digest)

interface KeyName {
  account: string
  key: string
}

const nameOf = ({ account, key }: KeyName): string => JSON.stringify([account, key])

async function earlierAnswer(
  sql: Sql,
  { account, key }: KeyName,
  oldest: Date,
): Promise<Replay | undefined> {
  const [row] = await runSql<{ digest: string; result: IngestionAnswer }>(
    sql,
    `select digest, result from events.answered_request
      where account = $1 and key = $2 and answered_at >= $3`,
    [account, key, oldest],
  )
  return row && { isReplay: true, digest: row.digest, answer: row.result }
}

/**
 * Counts occurrences into their events and stores them, in the transaction of `sql`.
 * @param occurrences in order of receipt
 * @returns the id of the last one's raw event
 * @throws Raced when another process created one of the events meanwhile
 */
export async function deduplicate(sql: Sql, occurrences: readonly Occurrence[]): Promise<string> {
  const byEvent = Map.groupBy(occurrences, ({ eventId }) => eventId)
  const ids = [...byEvent.keys()].sort()
  const known = await lockEvents(sql, ids)
  const created: NewEvent[] = []
  const changes: StatusChange[] = []
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
      const change = isIn ? null : countOccurrence(state, occurrence)
      if (change) changes.push(change)
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
  const lastId = await append(sql, [
    ...copyOf('events.event', NEW_EVENT, created),
    ...copyOf('events.event_minute', MINUTE, newMinutes),
    ...copyOf('events.raw_event', RAW_EVENT, raw),
    ...copyOf('events.status_change', STATUS_CHANGE, changes),
  ])
  const causes = occurrences.flatMap(({ cause, eventId }) => (cause ? [{ ...cause, eventId }] : []))
  if (causes.length > 0) await runSql(sql, LINK_EXECUTIONS, arraysOf(CAUSE, causes))
  return lastId
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
