import { badInput } from '../errors.ts'
import { exactJson } from '../json/exact-number.ts'
import { isSet, parseTime } from '../parse-time.ts'
import { fieldsOf, isFields, present, textOf, titled, withoutNumbers } from './fields.ts'
import { compileLookup, type Lookup, type Scope } from './mapping-lookup.ts'
import { compileMappingPath } from './mapping-path.ts'
import type { Received, SentEvent } from './received.ts'
import { type Severity, type Status, severityOf, type Words, words } from './words.ts'

/** Attributes of a receiver: for each part of an event, texts of which the first that yields something counts. */
export interface ReceiverMapping {
  items?: string
  title: readonly string[]
  message?: readonly string[]
  severity?: readonly string[]
  severityWords?: Words<Severity>
  status?: readonly string[]
  statusWords?: Words<Status>
  resolved?: readonly string[]
  resolvedAt?: readonly string[]
  createdAt?: readonly string[]
  eventClass?: readonly string[]
  source?: Readonly<Partial<Record<'ref' | 'type' | 'name', readonly string[]>>>
  properties?: Readonly<Record<string, string | readonly string[]>>
  tags?: readonly string[]
  fingerprint?: readonly string[]
  ignoreNumbers?: boolean
  occurrenceId?: readonly string[]
}

/** Takes the events out of a parsed body. @throws AppError BAD_USER_INPUT for more than `most` items */
export type MapBody = (body: unknown, now: Date, most: number) => Received[]

const OWN_SEVERITIES = words<Severity>({
  CRITICAL: 'critical',
  ERROR: 'error',
  WARN: 'warn warning',
  INFO: 'info',
})

const OWN_STATUSES = words<Status>({
  OPEN: 'open',
  CLOSED: 'closed',
  ACKNOWLEDGED: 'acknowledged',
  OK: 'ok',
})

/** Members of an object become properties of their own under this name. */
const SPREAD = '*'

/** @throws AppError BAD_USER_INPUT that names the attribute */
export function compileMapping(mapping: ReceiverMapping): MapBody {
  const { items } = mapping
  const select = items === undefined ? undefined : compiled('items', () => itemsAt(items))
  const mapItem = new ItemMapping(mapping)
  return (body, now, most) => {
    const found = select ? select(body) : Array.isArray(body) ? body : [body]
    if (found.length > most)
      throw badInput(`The request has more than ${most} events (EVENTS_CALL_EVENTS)`)
    return found.map((item) => mapItem.received({ body, item }, now))
  }
}

/** Makes an event of an item of the body. */
class ItemMapping {
  readonly #mapping: ReceiverMapping
  readonly #title
  readonly #message
  readonly #severity
  readonly #status
  readonly #resolved
  readonly #resolvedAt
  readonly #createdAt
  readonly #eventClass
  readonly #occurrenceId
  readonly #source
  readonly #properties
  readonly #tags
  readonly #identity
  readonly #severities
  readonly #statuses

  constructor(mapping: ReceiverMapping) {
    this.#mapping = mapping
    const { source = {}, properties = {}, tags = [], title, ignoreNumbers } = mapping
    // The title without numbers, where nothing else is the identity.
    const { fingerprint = ignoreNumbers ? title : [] } = mapping
    this.#title = lookup('title', title)
    this.#message = lookup('message', mapping.message)
    this.#severity = lookup('severity', mapping.severity)
    this.#status = lookup('status', mapping.status)
    this.#resolved = lookup('resolved', mapping.resolved)
    this.#resolvedAt = lookup('resolvedAt', mapping.resolvedAt)
    this.#createdAt = lookup('createdAt', mapping.createdAt)
    this.#eventClass = lookup('eventClass', mapping.eventClass)
    this.#occurrenceId = lookup('occurrenceId', mapping.occurrenceId)
    this.#source = {
      ref: lookup('source.ref', source.ref),
      type: lookup('source.type', source.type),
      name: lookup('source.name', source.name),
    }
    this.#properties = Object.entries(properties).map(
      ([name, texts]) => [name, lookup(`properties.${name}`, texts)] as const,
    )
    this.#tags = tags.map((text) => lookup('tags', text))
    this.#identity = fingerprint.map((text) => lookup('fingerprint', text))
    this.#severities = { ...OWN_SEVERITIES, ...lowerCased(mapping.severityWords) }
    this.#statuses = { ...OWN_STATUSES, ...lowerCased(mapping.statusWords) }
  }

  received(scope: Scope, now: Date): Received {
    const title = textAt(this.#title, scope)
    if (title === undefined) {
      const places = this.#mapping.title.join(', ')
      return { refused: `The title is missing: the body has nothing at ${places}` }
    }
    const message = textAt(this.#message, scope)
    const word = textAt(this.#severity, scope)
    const isKnown = word === undefined || Object.hasOwn(this.#severities, lower(word))
    const identity = this.#identity.map((each) => this.#identityOf(each(scope) ?? null))
    const isIdentified = identity.some((each) => each !== null)
    return {
      event: {
        ...titled(title),
        ...(message !== undefined && { message }),
        ...(word !== undefined && { severity: severityOf(word, this.#severities) }),
        ...this.#sourceAt(scope),
        ...this.#stateAt(scope, now),
        properties: {
          ...this.#propertiesAt(scope),
          ...(!isKnown && { severityWord: word }),
          ...(isIdentified && { fingerprint: exactJson(identity) }),
        },
        tags: this.#tags.flatMap((each) => each(scope) ?? []).map(plainText),
        eventClass: textAt(this.#eventClass, scope),
        ...(isIdentified && { fingerprintFields: ['fingerprint'] }),
      },
      key: textAt(this.#occurrenceId, scope),
    }
  }

  /** A known word, or the one that was sent; what is resolved has ended, whatever the word. */
  #stateAt(scope: Scope, now: Date): Pick<SentEvent, 'status' | 'createdAt'> {
    const word = textAt(this.#status, scope)
    const given = word === undefined ? undefined : (this.#statuses[lower(word)] ?? word)
    const isResolved = saysSo(this.#resolved(scope), now)
    const status = isResolved && given !== 'OK' ? 'CLOSED' : (given ?? this.#beginning())
    const isOver = status === 'CLOSED' || status === 'OK'
    return {
      ...(status !== undefined && { status }),
      createdAt: (isOver ? this.#resolvedAt(scope) : undefined) ?? this.#createdAt(scope),
    }
  }

  #identityOf(value: unknown): unknown {
    if (this.#mapping.ignoreNumbers && typeof value === 'string') return withoutNumbers(value)
    return sorted(value)
  }

  /** Senders that report ends report what is open. */
  #beginning(): 'OPEN' | undefined {
    return this.#mapping.resolved && 'OPEN'
  }

  #sourceAt(scope: Scope): Pick<SentEvent, 'source'> {
    const { ref, type, name } = this.#source
    const source = {
      ...{ ref: textAt(ref, scope), type: textAt(type, scope), name: textAt(name, scope) },
    }
    return Object.values(source).some(Boolean) ? { source } : {}
  }

  #propertiesAt(scope: Scope): Record<string, unknown> {
    const given = this.#properties.map(([name, at]) =>
      name === SPREAD ? fieldsOf(at(scope)) : present({ [name]: at(scope) }),
    )
    return Object.assign({}, ...given)
  }
}

const lookup = (place: string, texts: string | readonly string[] = []): Lookup =>
  compiled(place, () => compileLookup([texts].flat()))

/** A list that the path leads to stands for its items. */
function itemsAt(path: string) {
  const select = compileMappingPath(path)
  return (body: unknown): readonly unknown[] => {
    const found = select(body)
    return found.length === 1 && Array.isArray(found[0]) ? found[0] : found
  }
}

function compiled<Value>(place: string, compile: () => Value): Value {
  try {
    return compile()
  } catch (cause) {
    throw badInput(`${place}: ${cause instanceof Error ? cause.message : 'cannot be read'}`, {
      cause,
    })
  }
}

const lower = (word: string): string => word.trim().toLowerCase()

const lowerCased = <Ours>(table: Words<Ours> = {}): Words<Ours> =>
  Object.fromEntries(Object.entries(table).map(([word, ours]) => [lower(word), ours]))

const plainText = (value: unknown): string => (typeof value === 'string' ? value : exactJson(value))

function textAt(lookup: Lookup, scope: Scope): string | undefined {
  const value = lookup(scope)
  return value === undefined ? undefined : textOf(plainText(value))
}

/** True for a flag, an end that has come, and any other text. Ends of what goes on are of year 1, or lie ahead. */
function saysSo(value: unknown, now: Date): boolean {
  if (value === undefined || value === false || Number(value) === 0 || value === 'false')
    return false
  const time = parseTime(value)
  return time === undefined || (isSet(time) && time <= now)
}

/** With members in one order: senders give none. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isFields(value)) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]))
}
