import {
  type Column,
  flag,
  integer,
  json,
  number,
  text,
  time,
  uuid,
} from '../../../platform/database/copy.ts'
import type { ChangeKind, State } from '../notifications/change.ts'
import type { EventState, StatusChange } from './event-state.ts'
import type { ExecutionCause, Occurrence } from './occurrence.ts'

/** A new event: identity from its first occurrence, content from the latest. */
export interface NewEvent {
  first: Occurrence
  state: EventState
}

export const NEW_EVENT: readonly Column<NewEvent>[] = [
  text('fingerprint', ({ first }) => first.fingerprint),
  json('fingerprint_fields', ({ first }) => first.fingerprintFields),
  json('fingerprint_values', ({ first }) => first.fingerprintValues),
  ...identityOf<NewEvent>(({ first }) => first),
  ...contentOf<NewEvent>(({ first, state }) => state.latest ?? first),
  ...countsOf<NewEvent>(({ state }) => state),
]

/** Columns of a known event; without a latest occurrence only its counts change. */
export const KNOWN_EVENT: readonly Column<EventState>[] = [
  flag('overwrites', ({ latest }) => latest !== null),
  ...contentOf<EventState>(({ latest }) => latest),
  ...countsOf<EventState>((state) => state),
]

export interface NewRawEvent {
  occurrence: Occurrence
  isNew: boolean
}

export const RAW_EVENT: readonly Column<NewRawEvent>[] = [
  uuid('event_id', ({ occurrence }) => occurrence.eventId),
  flag('is_new', ({ isNew }) => isNew),
  text('severity', ({ occurrence }) => occurrence.severity),
  text('status', ({ occurrence }) => occurrence.status),
  ...identityOf<NewRawEvent>(({ occurrence }) => occurrence),
  ...contentOf<NewRawEvent>(({ occurrence }) => occurrence),
  time('occurred_at', ({ occurrence }) => occurrence.occurredAt),
  time('received_at', ({ occurrence }) => occurrence.receivedAt),
  text('execution_id', ({ occurrence }) => occurrence.cause?.executionId),
]

/** Occurrences of an event in a minute of receipt. */
export interface MinuteCount {
  eventId: string
  minute: Date
  occurrences: number
}

export const MINUTE: readonly Column<MinuteCount>[] = [
  uuid('event_id', ({ eventId }) => eventId),
  time('minute', ({ minute }) => minute),
  integer('occurrences', ({ occurrences }) => occurrences),
]

export const STATUS_CHANGE: readonly Column<StatusChange>[] = [
  uuid('event_id', ({ eventId }) => eventId),
  time('at', ({ at }) => at),
  text('from_status', ({ fromStatus }) => fromStatus),
  text('to_status', ({ toStatus }) => toStatus),
  text('from_severity', ({ fromSeverity }) => fromSeverity),
  text('to_severity', ({ toSeverity }) => toSeverity),
]

/** A change that rules judge. */
export interface StateChange extends State {
  eventId: string
  at: Date
  kind: ChangeKind
  /** The execution whose end it is. */
  executionId?: string | undefined
}

export const STATE_CHANGE: readonly Column<StateChange>[] = [
  uuid('event_id', ({ eventId }) => eventId),
  time('at', ({ at }) => at),
  text('kind', ({ kind }) => kind),
  text('status', ({ status }) => status),
  text('severity', ({ severity }) => severity),
  text('execution_id', ({ executionId }) => executionId),
]

export type CausedEvent = ExecutionCause & { eventId: string }

export const CAUSE: readonly Column<CausedEvent>[] = [
  text('execution_id', ({ executionId }) => executionId),
  uuid('event_id', ({ eventId }) => eventId),
  text('context_id', ({ contextId }) => contextId),
  text('context_type', ({ contextType }) => contextType),
]

function identityOf<Row>(of: (row: Row) => Occurrence): Column<Row>[] {
  return [
    text('source_ref', (row) => of(row).source.ref),
    text('source_type', (row) => of(row).source.type),
    json('source_properties', (row) => of(row).source.properties),
    text('event_class', (row) => of(row).eventClass),
  ]
}

function contentOf<Row>(of: (row: Row) => Occurrence | null): Column<Row>[] {
  return [
    text('title', (row) => of(row)?.title),
    text('message', (row) => of(row)?.message),
    text('source_name', (row) => of(row)?.source.name),
    json('sender', (row) => of(row)?.sender),
    json('properties', (row) => of(row)?.properties),
    json('tags', (row) => of(row)?.tags),
  ]
}

function countsOf<Row>(of: (row: Row) => EventState): Column<Row>[] {
  return [
    uuid('id', (row) => of(row).id),
    text('severity', (row) => of(row).severity),
    text('status', (row) => of(row).status),
    time('first_seen_at', (row) => of(row).firstSeenAt),
    time('last_seen_at', (row) => of(row).lastSeenAt),
    time('last_updated_at', (row) => of(row).lastUpdatedAt),
    number('times_seen', (row) => of(row).timesSeen),
    text('execution_id', (row) => of(row).executionId),
  ]
}
