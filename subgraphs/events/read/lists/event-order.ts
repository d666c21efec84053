import { badInput } from '../../../../formats/errors.ts'
import { isDatabaseText } from '../../../../platform/database/database-text.ts'
import { SEVERITIES } from '../../../../platform/event-query/words.ts'
import { cursorOf, type IsKey } from '../../../../platform/paging/page.ts'
import type { SortInput } from '../../../../platform/paging/sort.args.ts'
import type { StoredEvent } from '../../tables/event.entity.ts'
import { isUuid } from '../uuid.ts'
import type { Sorting } from './list-order.ts'

/** One attribute that lists of events are sorted by. */
interface Attribute {
  /** Its value in SQL. */
  column(as: string): string
  type: string
  /** The same value of an event that was read, as a cursor has it. */
  valueOf(event: StoredEvent): string | number
  /** The value of a cursor; null where none has it. */
  read(value: string): string | null
}

/** Longer texts are sorted by their beginning, so that cursors stay short. */
const MAX_TEXT = 100

const RANKS = ['', ...SEVERITIES]

/** A time of cursors in milliseconds; PostgreSQL knows none before 4713 BC. */
export const TIME_KEY = /^(\d{1,15}|-\d{1,14})$/

const matching = (form: RegExp) => (value: string) => (form.test(value) ? value : null)

const text = (name: 'title' | 'status'): Attribute => ({
  column: (as) => `left(${as}.${name}, ${MAX_TEXT})`,
  type: 'text',
  valueOf: (event) => encodeURIComponent([...event[name]].slice(0, MAX_TEXT).join('')),
  read: decoded,
})

const time = (name: 'firstSeenAt' | 'lastSeenAt', column: string): Attribute => ({
  column: (as) => `date_trunc('milliseconds', ${as}.${column})`,
  type: 'timestamptz',
  valueOf: (event) => event[name].getTime(),
  read: matching(TIME_KEY),
})

const ATTRIBUTES: Readonly<Record<string, Attribute>> = {
  firstSeenAt: time('firstSeenAt', 'first_seen_at'),
  lastSeenAt: time('lastSeenAt', 'last_seen_at'),
  timesSeen: {
    column: (as) => `${as}.times_seen`,
    type: 'bigint',
    valueOf: ({ timesSeen }) => timesSeen,
    read: matching(/^\d{1,15}$/),
  },
  severity: {
    column: (as) =>
      `coalesce(array_position(array[${RANKS.map((word) => `'${word}'`)}], ${as}.severity), 1)`,
    type: 'integer',
    valueOf: ({ severity }) => Math.max(0, RANKS.indexOf(severity)) + 1,
    read: matching(/^\d$/),
  },
  status: text('status'),
  title: text('title'),
}

export const EVENT_ATTRIBUTES = Object.keys(ATTRIBUTES).join(', ')

/** An order that clients ask for. No index has it: all that match are sorted. */
export interface EventOrder {
  sorting: Sorting
  isKey: IsKey
  /** Key values of a cursor, as the statement compares them. */
  keyOf(parts: readonly string[]): string[]
  cursorOf(event: StoredEvent): string
}

/** Ties are ordered by id, the same way. @throws AppError BAD_USER_INPUT that names the attributes */
export function eventOrder({ attribute, direction }: SortInput): EventOrder {
  const by = Object.hasOwn(ATTRIBUTES, attribute) ? ATTRIBUTES[attribute] : undefined
  if (!by)
    throw badInput(
      `sort.${attribute.slice(0, 100)}: no such attribute; expected ${EVENT_ATTRIBUTES}`,
    )
  const name = `${attribute},${direction}`
  return {
    sorting: {
      table: 'event',
      columns: (as) => [by.column(as), `${as}.id`],
      types: [by.type, 'uuid'],
      isAscending: direction === 'ASC',
    },
    isKey: ([of, value = '', id = '', ...rest]) =>
      of === name && by.read(value) !== null && isUuid(id) && rest.length === 0,
    keyOf: ([, value = '', id = '']) => [by.read(value) ?? '', id],
    cursorOf: (event) => cursorOf(name, by.valueOf(event), event.id),
  }
}

function decoded(value: string): string | null {
  try {
    const read = decodeURIComponent(value)
    return isDatabaseText(read) ? read : null
  } catch {
    return null
  }
}
