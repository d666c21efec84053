import { Repeater } from '@repeaterjs/repeater'
import { AppError } from '../../../schema/errors.ts'
import { DATABASE_AWAY_MS, unlessAway } from '../../shared/database-error.ts'
import type { EventService } from '../query/event.service.ts'
import { compileQuery } from '../query/language/compile.ts'
import type { Condition } from '../query/language/condition.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { StoredRawEvent } from '../tables/raw-event.entity.ts'
import {
  BEGINNING,
  cursorExpired,
  type Position,
  readStreamCursor,
  streamCursor,
} from './position.ts'
import type { StreamPart, StreamRepository } from './stream.repository.ts'
import type { Waiter, WakeUps } from './wake-ups.ts'

export interface StreamArgs {
  query?: string | null
  after?: string | null
}

/** An occurrence as the stream delivers it. */
export interface ReceivedEvent {
  cursor: string
  event: StoredEvent
  rawEvent: StoredRawEvent
  isNew: boolean
}

const PART = 200
/** Until the next look, where nothing wakes the reader. */
const LOOK_AGAIN_MS = 1_000
const SOON_MS = 20
/** A subscriber that takes nothing for so long is told to resume. */
const STALL_MS = 60_000

/**
 * Delivers occurrences in the order of commit, as fast as the subscriber takes them. Everything comes from the database:
 * a slow subscriber holds up nobody and loses nothing.
 */
export class EventStream {
  readonly #rows: Pick<StreamRepository, 'read' | 'end' | 'isKept'>
  readonly #events: Pick<EventService, 'find'>
  readonly #wakeUps: Pick<WakeUps, 'listen'>

  readonly #stallMs: number

  constructor(
    rows: Pick<StreamRepository, 'read' | 'end' | 'isKept'>,
    events: Pick<EventService, 'find'>,
    wakeUps: Pick<WakeUps, 'listen'>,
    stallMs = STALL_MS,
  ) {
    this.#stallMs = stallMs
    this.#rows = rows
    this.#events = events
    this.#wakeUps = wakeUps
  }

  /**
   * @param after absent: from now on; `""`: from the oldest that is kept; else behind that cursor
   * @throws AppError CURSOR_EXPIRED for a cursor that is unknown or whose day is dropped; BAD_USER_INPUT for a bad query
   */
  async open({ query, after }: StreamArgs): Promise<AsyncIterable<ReceivedEvent>> {
    const conditions = compileQuery(query, 'raw')
    const start = await this.#start(after)
    return new Repeater<ReceivedEvent>(async (push, stop) => {
      const waiter = this.#wakeUps.listen()
      let isOver = false
      void stop.then(() => {
        isOver = true
        waiter.stop()
      })
      let position = start
      while (!isOver && !waiter.isStopped) {
        const part = await this.#read(position, conditions)
        for (const item of part?.items ?? []) {
          if (isOver) return
          if (!(await isTaken(push(item), this.#stallMs))) return stop(slowConsumer())
        }
        position = part?.next ?? position
        await pause(waiter, part?.rest)
      }
      stop()
    })
  }

  async #start(after: string | null | undefined): Promise<Position> {
    if (after === undefined || after === null) return this.#rows.end()
    if (after === '') return BEGINNING
    const { id, receivedAt } = readStreamCursor(after)
    if (!(await this.#rows.isKept(id, receivedAt))) throw cursorExpired()
    return { id, readUpTo: null }
  }

  /**
   * A subscriber that lags behind the retention time may have missed rows: not while the row is there behind which the
   * part was read. @throws AppError CURSOR_EXPIRED
   */
  async #assertKept({ id }: Position, { rest }: StreamPart): Promise<void> {
    if (rest !== 'more' || id === BEGINNING.id) return
    if (!(await this.#rows.isKept(id))) throw cursorExpired()
  }

  /** @returns undefined while the database is away */
  #read(position: Position, conditions: readonly Condition[]) {
    return unlessAway(async () => {
      const part = await this.#rows.read(position, conditions, PART)
      await this.#assertKept(position, part)
      return { items: await this.#withEvents(part.rows), next: part.next, rest: part.rest }
    })
  }

  #withEvents(rows: readonly StoredRawEvent[]): Promise<ReceivedEvent[]> {
    return Promise.all(
      rows.map(async (rawEvent) => {
        const event = await this.#events.find(rawEvent.eventId)
        if (!event) throw new Error('An occurrence without its event')
        const cursor = streamCursor(rawEvent)
        return { cursor, event, rawEvent, isNew: rawEvent.isNew }
      }),
    )
  }
}

/** @param taken resolves when the subscriber asks for the next item */
async function isTaken(taken: Promise<unknown>, withinMs: number): Promise<boolean> {
  const { promise: isLate, resolve } = Promise.withResolvers<false>()
  const timer = setTimeout(() => resolve(false), withinMs)
  try {
    return await Promise.race([taken.then(() => true), isLate])
  } finally {
    clearTimeout(timer)
  }
}

const slowConsumer = (): AppError =>
  new AppError(
    'SLOW_CONSUMER',
    'The subscriber took nothing for too long: resume with the last cursor as `after`',
  )

async function pause(waiter: Waiter, rest: StreamPart['rest'] | undefined): Promise<void> {
  if (rest === 'more') return
  if (!rest) return waiter.wait(DATABASE_AWAY_MS)
  await waiter.wait(rest === 'soon' ? SOON_MS : LOOK_AGAIN_MS)
}
