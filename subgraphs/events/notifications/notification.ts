import type { StoredEvent } from '../tables/event.entity.ts'
import type { State } from './change.ts'
import type { Entry, EntryKind, Group, Message } from './group.ts'

/** An event as notifications show it. */
export interface ShownEvent extends State {
  id: string
  title: string
  message: string | null
  eventClass: string | null
  source: { ref: string | null; type: string | null; name: string | null }
  /** Its page, where the product knows its own address. */
  url?: string
}

/** Changes of one event since the last notification. */
export interface ShownChange {
  event: ShownEvent
  kinds: EntryKind[]
  /** State that was notified before; null where none was. */
  from: State | null
  isFlapping: boolean
}

/** Content of a notification, whatever the channel. */
export interface NotificationBody {
  rule: { id: string; name: string; text: string | null }
  /** Fields of `groupBy` with their values. */
  group: Record<string, unknown>
  reason: Message['reason'] | 'test'
  /** The first of `changesTotal`. */
  changes: ShownChange[]
  changesTotal: number
  /** The first of `openTotal`: notified before, and still open. */
  open: ShownEvent[]
  openTotal: number
  created: string
}

/** Events that a notification shows; the rest is a number. */
export const MAX_CHANGES = 100
export const MAX_OPEN = 20
/** Characters of a text of an event. */
const MAX_TEXT = 500

/** Ids of the events that a message shows. */
export const shownIds = ({ changes, open }: Message): string[] => [
  ...changes.slice(0, MAX_CHANGES).map(({ eventId }) => eventId),
  ...open.slice(0, MAX_OPEN),
]

/** @param events those of `shownIds`; one that retention has deleted is left out */
export function bodyOf(
  message: Message,
  facts: Pick<NotificationBody, 'rule' | 'group'>,
  group: Group,
  events: ReadonlyMap<string, StoredEvent>,
  now: Date,
): NotificationBody {
  const show = (id: string, state: State | undefined): ShownEvent[] => {
    const event = events.get(id)
    return event ? [shownEvent(event, state ?? event)] : []
  }
  return {
    ...facts,
    reason: message.reason,
    changes: message.changes
      .slice(0, MAX_CHANGES)
      .flatMap((entry) =>
        show(entry.eventId, entry.to).map((event) => ({ event, ...changeFacts(entry) })),
      ),
    changesTotal: message.changes.length,
    open: message.open.slice(0, MAX_OPEN).flatMap((id) => show(id, group.members.get(id)?.now)),
    openTotal: message.open.length,
    created: now.toISOString(),
  }
}

const changeFacts = ({ kinds, from, isFlapping }: Entry) => ({ kinds, from, isFlapping })

const shownEvent = (event: StoredEvent, { status, severity }: State): ShownEvent => ({
  id: event.id,
  title: cut(event.title),
  message: event.message === null ? null : cut(event.message),
  ...{ severity, status },
  eventClass: event.eventClass,
  source: { ref: event.sourceRef, type: event.sourceType, name: event.sourceName },
})

const cut = (text: string): string =>
  text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT).toWellFormed()}…` : text

/** The same with the page of each event. @param origin PUBLIC_URL */
export function linked(body: NotificationBody, origin: string): NotificationBody {
  const link = (event: ShownEvent) => ({
    ...event,
    url: new URL(`/events/${event.id}`, origin).href,
  })
  const changes = body.changes.map((change) => ({ ...change, event: link(change.event) }))
  return { ...body, changes, open: body.open.map(link) }
}

/** Content of a notification that its receiver refused, with what came since: nothing of it was taken. */
export function merged(refused: NotificationBody, later: NotificationBody): NotificationBody {
  const changes = new Map(refused.changes.map((change) => [change.event.id, change]))
  let repeated = 0
  for (const change of later.changes) {
    const before = changes.get(change.event.id)
    if (before) repeated++
    changes.delete(change.event.id)
    changes.set(
      change.event.id,
      before ? { ...change, from: before.from, kinds: [...before.kinds, ...change.kinds] } : change,
    )
  }
  const open = later.open.filter(({ id }) => !changes.has(id))
  return {
    ...later,
    reason: refused.reason,
    changes: [...changes.values()].slice(-MAX_CHANGES),
    changesTotal: refused.changesTotal + later.changesTotal - repeated,
    open,
    openTotal: later.openTotal - (later.open.length - open.length),
  }
}
