import { ExactNumber, numberOf } from '../../../../formats/json/exact-number.ts'
import { parseExact } from '../../../../formats/json/json.ts'
import { wholeDays } from '../../../../platform/event-query/days.ts'
import { isJsonScalar } from '../../../../platform/event-query/fields.ts'
import type { Bound, Word } from '../../../../platform/event-query/query.ts'
import { wordsBetween } from '../../../../platform/event-query/ranks.ts'
import { isRelative } from '../../../../platform/event-query/relative-time.ts'
import { readTime } from '../../../../platform/event-query/time.ts'
import {
  normalizePattern,
  normalizeWord,
  SEVERITIES,
  STATUSES,
} from '../../../../platform/event-query/words.ts'
import { likeOf } from './like.ts'
import type { Judge, LowerCase, Subject, Verdict } from './subject.ts'

/** Comparison of a field, as `platform/event-query/fields.ts` has it in SQL. What is absent matches nothing. */
interface Field {
  equals(word: Word): Judge
  between(from: Bound, to: Bound): Judge
}

const PROPERTY = 'properties.'

/** @param name of a field that compiles to SQL */
export function fieldOf(name: string, lower: LowerCase): Field {
  if (name.startsWith(PROPERTY)) return keyField(name.slice(PROPERTY.length))
  const field = Object.hasOwn(FIELDS, name) ? FIELDS[name]?.(lower) : undefined
  if (!field) throw new Error(`There is no field ${name}`)
  return field
}

const FIELDS: Record<string, (lower: LowerCase) => Field> = {
  title: (lower) => textField((subject) => subject.lowerTitle, lower),
  message: (lower) => textField((subject) => subject.lowerMessage, lower),
  severity: () => rankedField(({ content }) => content.severity, SEVERITIES),
  status: () => wordField(({ content }) => content.status, STATUSES),
  tags: () => TAGS,
  eventClass: () => wordField(({ content }) => content.eventClass),
  'source.ref': () => wordField(({ content }) => content.sourceRef),
  'source.type': () => wordField(({ content }) => content.sourceType),
  'source.name': () => wordField(({ content }) => content.sourceName),
  // People set them, seldom: the database is asked.
  assignee: () => UNDECIDED,
  ticket: () => UNDECIDED,
  comment: () => UNDECIDED,
  firstSeenAt: () => timeField(({ event }) => event?.firstSeenAt),
  lastSeenAt: () => timeField(({ event }) => event?.lastSeenAt),
  timesSeen: () => TIMES_SEEN,
  occurredAt: () => timeField(({ raw }) => raw?.occurredAt),
  receivedAt: () => timeField(({ raw }) => raw?.receivedAt),
}

const UNDECIDED: Field = { equals: () => () => undefined, between: () => () => undefined }

/** Texts are ordered by the collation of the database. */
const ranged =
  (read: (subject: Subject) => unknown) =>
  (from: Bound, to: Bound): Judge => {
    const isOpen = from.text === null && to.text === null
    return (subject) => (read(subject) == null ? false : isOpen || undefined)
  }

function textField(read: (subject: Subject) => string | null, lower: LowerCase): Field {
  return {
    equals({ text, like }) {
      const part = lower(text)
      const matches =
        like === null ? (value: string) => value.includes(part) : likeOf(`%${lower(like)}%`)
      return (subject) => {
        const value = read(subject)
        return value !== null && matches(value)
      }
    },
    between: ranged(read),
  }
}

function wordField(
  read: (subject: Subject) => string | null,
  words: readonly string[] = [],
): Field {
  return {
    equals({ text, like }) {
      const word = normalizeWord(words, text)
      const matches = like === null ? (value: string) => value === word : likeWord(like, words)
      return (subject) => {
        const value = read(subject)
        return value !== null && matches(value)
      }
    },
    between: ranged(read),
  }
}

function rankedField(read: (subject: Subject) => string | null, words: readonly string[]): Field {
  const field = wordField(read, words)
  return {
    ...field,
    between(from, to) {
      if (from.text === null && to.text === null) return field.between(from, to)
      const within = wordsBetween(words, from, to) ?? []
      return (subject) => within.includes(read(subject) ?? '')
    },
  }
}

function likeWord(like: string, words: readonly string[]): (value: string) => Verdict {
  const matches = likeOf(like)
  const matchesKnown = likeOf(normalizePattern(like))
  return (value) => {
    const verdict = matches(value)
    return verdict || !words.includes(value) ? verdict : matchesKnown(value)
  }
}

const TAGS: Field = {
  equals({ text, like }) {
    const matches = like === null ? (tag: string) => tag === text : likeOf(like)
    return ({ content }) => {
      const verdicts = content.tags.map((tag) => matches(tag))
      return verdicts.includes(true) || (verdicts.includes(undefined) ? undefined : false)
    }
  },
  between: () => () => false, // no SQL either
}

/** Fields of which an exact value is a range, too, and `*` any. */
const ordered = <Value>(
  read: (subject: Subject) => Value | undefined,
  rangeOf: (from: Bound, to: Bound) => (value: Value) => boolean,
): Field => {
  const between = (from: Bound, to: Bound): Judge => {
    const isIn = rangeOf(from, to)
    return (subject) => {
      const value = read(subject)
      return value !== undefined && isIn(value)
    }
  }
  return {
    equals({ text, like }) {
      const bound = { text: like === null ? text : null, isIncluded: true }
      return between(bound, bound)
    },
    between,
  }
}

const TIMES_SEEN = ordered(
  ({ event }) => event?.timesSeen,
  (from, to) => {
    const isIn = rangeOf(from, to, BigInt)
    return (seen) => isIn(BigInt(seen))
  },
)

const timeField = (read: (subject: Subject) => Date | undefined): Field =>
  ordered(read, (from, to) => {
    const range = () =>
      rangeOf(...wholeDays(from, to), (text) => readTime(text)?.getTime() ?? Number.NaN)
    const isIn = range()
    // Times relative to now move on while the stream is open.
    const moves = [from, to].some(({ text }) => text !== null && isRelative(text))
    return (time) => (moves ? range() : isIn)(time.getTime())
  })

function rangeOf<Value extends number | bigint>(
  from: Bound,
  to: Bound,
  read: (text: string) => Value,
): (value: Value) => boolean {
  const least = from.text === null ? undefined : read(from.text)
  const most = to.text === null ? undefined : read(to.text)
  return (value) =>
    (least === undefined || (from.isIncluded ? value >= least : value > least)) &&
    (most === undefined || (to.isIncluded ? value <= most : value < most))
}

/** A value of the properties under one of its own keys. A number is equal to its text. */
function keyField(key: string): Field {
  const read = ({ content: { properties } }: Subject): unknown =>
    Object.hasOwn(properties, key) ? properties[key] : undefined
  return {
    equals({ text, like }) {
      if (like !== null) {
        const matches = likeOf(like)
        return (subject) => likeVerdict(read(subject), matches)
      }
      const scalar = scalarOf(text)
      return (subject) => {
        const value = read(subject)
        return value === text || (scalar !== undefined && isSame(value, scalar))
      }
    },
    between(from, to) {
      const isAbove = comparison(from, (order) => order > 0)
      const isBelow = comparison(to, (order) => order < 0)
      return (subject) => {
        const value = read(subject)
        if (typeof value !== 'number' && !(value instanceof ExactNumber)) return false
        const verdicts = [isAbove(value), isBelow(value)]
        if (verdicts.includes(false)) return false
        return verdicts.includes(undefined) ? undefined : true
      }
    },
  }
}

/** The database writes numbers and nested values in a way of its own. */
function likeVerdict(value: unknown, matches: (text: string) => Verdict): Verdict {
  if (value === undefined || value === null) return false
  if (typeof value === 'string' || typeof value === 'boolean') return matches(String(value))
  return undefined
}

const scalarOf = (text: string): unknown => (isJsonScalar(text) ? parseExact(text) : undefined)

const isSame = (value: unknown, scalar: unknown): boolean =>
  value === scalar ||
  (value instanceof ExactNumber &&
    scalar instanceof ExactNumber &&
    String(value) === String(scalar))

/** @param isWanted of the order of a value and the bound, below or above 0 */
function comparison({ text, isIncluded }: Bound, isWanted: (order: number) => boolean) {
  if (text === null) return () => true
  const bound = numberOf(text.replace(/^\+/, ''))
  return (value: number | ExactNumber): Verdict => {
    const order = Math.sign(Number(value) - Number(bound))
    if (order !== 0) return isWanted(order)
    // The database knows the order of numbers with the same nearest double.
    if (typeof value === 'object' || typeof bound === 'object') return undefined
    return isIncluded
  }
}
