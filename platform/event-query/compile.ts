import { type Condition, join, type Lookup, type Operator } from './condition.ts'
import {
  type Field,
  inSearched,
  keyField,
  listField,
  numberField,
  rankedField,
  type Table,
  textField,
  timeField,
  wordField,
} from './fields.ts'
import { parseQuery } from './parse.ts'
import type { FieldName, Query } from './query.ts'
import { syntaxError } from './syntax-error.ts'
import { SEVERITIES, STATUSES } from './words.ts'

/**
 * A query as a condition on events or raw events. An empty query matches everything.
 * @throws AppError BAD_USER_INPUT that names the position of the fault
 */
export function compileQuery(text: string | null | undefined, table: Table): Condition[] {
  return text?.trim() ? [compile(parseQuery(text), table)] : []
}

function compile(query: Query, table: Table): Condition {
  switch (query.kind) {
    case 'all':
      return { sql: 'true', parameters: [] }
    case 'and':
    case 'or':
      return (query.kind === 'and' ? allOf : anyOf)(query.parts.map((part) => compile(part, table)))
    case 'not': {
      const { sql, parameters } = compile(query.part, table)
      // A comparison with an absent value is unknown, and its negation must be true.
      return { sql: `(${sql}) is not true`, parameters }
    }
    case 'term': {
      const fields = query.field === null ? BARE_WORDS : [query.field]
      return anyOf(
        fields.map((each) => {
          const field = fieldOf(each, table)
          return valid(field.equals(query.word), query, field)
        }),
      )
    }
    case 'range': {
      const field = fieldOf(query.field, table)
      return valid(field.between(query.from, query.to), query, field)
    }
  }
}

/** Fields in which words without a field are looked for. */
const BARE_WORDS = ['title', 'message'].map((name) => ({ name, offset: 0 }))

const PROPERTY = 'properties.'

function fieldOf({ name, offset }: FieldName, table: Table): Field {
  if (name.startsWith(PROPERTY) && name.length > PROPERTY.length)
    return keyField(`${table}.properties`, name.slice(PROPERTY.length))
  if (table === 'raw' && Object.hasOwn(RAW_FIELDS, name)) return RAW_FIELDS[name] as Field
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name]?.(table) : undefined
  if (!field) throw syntaxError(`there is no field ${name}`, offset)
  return field
}

const FIELDS: Record<string, (table: Table) => Field> = {
  title: (table) => textField(`${table}.title`),
  message: (table) => textField(`${table}.message`),
  severity: (table) => rankedField(`${table}.severity`, 'severity', SEVERITIES),
  status: (table) => wordField(`${table}.status`, 'status', STATUSES),
  tags: (table) => listField(`${table}.tags`, 'tags'),
  eventClass: (table) => wordField(`${table}.event_class`, 'class'),
  'source.ref': (table) => wordField(`${table}.source_ref`, 'ref'),
  'source.type': (table) => wordField(`${table}.source_type`, 'type'),
  'source.name': (table) => wordField(`${table}.source_name`, 'name'),
  assignee: (table) => ofEvent(table, (event) => unindexedWord(`${event}.assignee`)),
  ticket: (table) => ofEvent(table, (event) => unindexedWord(`${event}.ticket`)),
  comment: (table) => ofEvent(table, commentField),
  firstSeenAt: (table) => ofEvent(table, (event) => timeField(`${event}.first_seen_at`)),
  lastSeenAt: (table) =>
    ofEvent(table, (event) => timeField(`${event}.last_seen_at`, 'found.last_seen_at')),
  timesSeen: (table) =>
    ofEvent(table, (event) => numberField(`${event}.times_seen`, 'found.times_seen')),
}

/** A word that the search tables do not have, as people set it: an index holds the few rows that have one. */
const unindexedWord = (column: string): Field => {
  const { equals, between } = wordField(column, '')
  return {
    equals(word) {
      const found = equals(word)
      return found && { sql: found.sql, parameters: found.parameters }
    },
    between,
  }
}

/** Free text of the history of an event. */
const commentField = (event: string): Field => ({
  equals(word) {
    const { sql, parameters } = textField('change.comment').equals(word) ?? NOTHING
    const commented = `select change.event_id from events.status_change as change where ${sql}`
    return { sql: `${event}.id in (${commented})`, parameters }
  },
  between: (from, to) =>
    from.text === null && to.text === null
      ? commentField(event).equals({ text: '', like: null })
      : undefined,
})

const NOTHING: Condition = { sql: 'false', parameters: [] }

/** Fields that each occurrence has of its own. */
const RAW_FIELDS: Record<string, Field> = {
  occurredAt: timeField('raw.occurred_at', 'found.occurred_at'),
  receivedAt: timeField('raw.received_at', 'found.received_at'),
}

/** Compiles a field of the event for its occurrences, too. */
function ofEvent(table: Table, fieldOfEvent: (event: string) => Field): Field {
  if (table === 'event') return fieldOfEvent('event')
  const whole = fieldOfEvent('whole')
  const within = (condition: Condition | undefined): Condition | undefined =>
    condition && {
      sql: `raw.event_id in (select whole.id from events.event as whole where ${condition.sql})`,
      parameters: condition.parameters,
      lookup: inSearched('whole', condition),
    }
  return {
    ...whole,
    equals: (word) => within(whole.equals(word)),
    between: (from, to) => within(whole.between(from, to)),
  }
}

function valid(
  condition: Condition | undefined,
  { field, offset }: FieldQuery,
  { expects }: Field,
): Condition {
  if (condition) return condition
  const hint = expects ? `; ${expects}` : ''
  throw syntaxError(`${field?.name} cannot be compared with that${hint}`, offset)
}

type FieldQuery = Extract<Query, { offset: number }>

/** All of them: what can be looked up of some narrows the whole. */
function allOf(conditions: Condition[]): Condition {
  const parts = lookupsOf(conditions)
  return {
    ...join('and', conditions),
    ...(parts.length > 0 && { lookup: together('and', parts) }),
  }
}

/** One of them: all must be looked up. */
function anyOf(conditions: Condition[]): Condition {
  const parts = lookupsOf(conditions)
  return {
    ...join('or', conditions),
    ...(parts.length === conditions.length && { lookup: together('or', parts) }),
  }
}

const lookupsOf = (conditions: readonly Condition[]): Lookup[] =>
  conditions.flatMap(({ lookup }) => lookup ?? [])

const together = (operator: Operator, parts: readonly Lookup[]): Lookup =>
  parts.length === 1 && parts[0] ? parts[0] : { operator, parts }
