import { compileQuery } from '../../../platform/event-query/compile.ts'
import type { Table } from '../../../platform/event-query/fields.ts'
import type { Interest } from '../../../platform/tail/interest.ts'
import { Tail } from '../../../platform/tail/tail.ts'
import type { WakeUps } from '../ingestion/store.ts'
import type { EventService } from '../read/event.service.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { StoredRawEvent } from '../tables/raw-event.entity.ts'
import type { StoredStatusChange } from '../tables/status-change.entity.ts'
import {
  ALL_CHANGES,
  type Change,
  type ChangeFilter,
  type ChangeRepository,
  streamPositionOf,
} from './change.repository.ts'
import type { LowerCaseRepository } from './lower-case.repository.ts'
import { cursorExpired, readStreamCursor, streamCursor } from './position.ts'
import { compilePredicate } from './predicate/predicate.ts'
import { Subjects } from './subjects.ts'

export interface StreamArgs {
  query?: string | null
  after?: string | null
}

/** A change as both streams deliver it. */
export interface ChangedEvent {
  cursor: string
  event: StoredEvent
  /** Null where a person has set the status. */
  rawEvent: StoredRawEvent | null
  statusChange: StoredStatusChange | null
  isNew: boolean
}

type Changes = Pick<ChangeRepository, 'read' | 'end' | 'last' | 'isKept' | 'select'>

/** Until the next look, where nothing wakes the reader. */
const LOOK_AGAIN_MS = 1_000

/** Delivers occurrences, or all changes of events, in the order of commit: every subscriber from the same tail. */
export class EventStreams {
  readonly #tail: Tail<Change, ChangedEvent>
  readonly #subjects: Subjects

  constructor(
    private readonly changes: Changes,
    private readonly events: Pick<EventService, 'find'>,
    private readonly lowerCase: Pick<LowerCaseRepository, 'read'>,
    wakeUps: Pick<WakeUps, 'listen'>,
  ) {
    this.#subjects = new Subjects(events)
    this.#tail = new Tail({
      end: () => changes.end(),
      read: (after) => changes.read(after, ALL_CHANGES),
      itemOf: (change) => this.#itemOf(change),
      listen: (wake) => wakeUps.listen(wake),
      lookAgainMs: LOOK_AGAIN_MS,
    })
  }

  /**
   * @param table `raw` for occurrences, `event` for all changes
   * @param after absent: from now on; `""`: from the oldest that is kept; else behind that cursor
   * @throws AppError CURSOR_EXPIRED for a cursor that is unknown or whose day is dropped; BAD_USER_INPUT for a bad query
   */
  async open(table: Table, { query, after }: StreamArgs): Promise<AsyncIterable<ChangedEvent>> {
    const interest = await this.#interestOf(table, query?.trim() ?? '')
    return this.#tail.follow(interest, await this.#start(after))
  }

  /** The cursor to open a stream with: behind it comes everything that a list read from now on may lack. */
  async cursor(): Promise<string> {
    const last = await this.changes.last()
    return last ? streamCursor(last) : ''
  }

  stop(): void {
    this.#tail.stop()
  }

  async #interestOf(table: Table, query: string): Promise<Interest<Change>> {
    // Compiled here to refuse a bad query, then when it is needed: each subscriber may have a query of its own.
    const filter = (): ChangeFilter => ({ table, conditions: compileQuery(query, table) })
    filter()
    const lower = await this.lowerCase.read()
    const { judge, readsEvent } = compilePredicate(query, lower)
    const withEvents = readsEvent || table === 'event'
    return {
      key: `${table} ${query}`,
      read: (after) => this.changes.read(after, filter()),
      select: async (rows) => {
        const subjects = await this.#subjects.of(rows, table, withEvents, lower)
        const verdicts = subjects.map((subject) => (subject ? judge(subject) : false))
        // The database judges rows that this process cannot judge in the same way.
        const undecided = rows.filter((_, at) => verdicts[at] === undefined)
        const decided = undecided.length > 0 ? await this.changes.select(undecided, filter()) : []
        return rows.filter((row, at) => verdicts[at] ?? decided.includes(row))
      },
    }
  }

  async #start(after: string | null | undefined): Promise<number> {
    if (after === undefined || after === null) return this.changes.end()
    if (after === '') return 0
    const place = readStreamCursor(after)
    if (!(await this.changes.isKept(place))) throw cursorExpired()
    return place.position
  }

  async #itemOf(change: Change): Promise<ChangedEvent> {
    const { eventId, occurrence, statusChange } = change
    const event = await this.events.find(eventId)
    if (!event) throw new Error('A change without its event')
    const cursor = streamCursor(streamPositionOf(change))
    const isNew = occurrence?.isNew ?? false
    return { cursor, event, rawEvent: occurrence, statusChange, isNew }
  }
}
