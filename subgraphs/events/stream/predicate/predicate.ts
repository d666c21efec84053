import { parseQuery } from '../../../../platform/event-query/parse.ts'
import type { Query } from '../../../../platform/event-query/query.ts'
import { fieldOf } from './fields.ts'
import type { Judge, LowerCase, Subject, Verdict } from './subject.ts'

/** A query that this process judges as the database does. */
export interface Predicate {
  judge: Judge
  /** True if it reads the event of an occurrence. */
  readsEvent: boolean
}

const BARE_WORDS = ['title', 'message']
const OF_EVENTS: ReadonlySet<string> = new Set(['firstSeenAt', 'lastSeenAt', 'timesSeen'])

/**
 * The predicate of a query that compiles to SQL, with the same grammar and the same meaning.
 * @param text undefined where everything matches
 */
export function compilePredicate(text: string | null | undefined, lower: LowerCase): Predicate {
  if (!text?.trim()) return { judge: () => true, readsEvent: false }
  const query = parseQuery(text)
  return { judge: compile(query, lower), readsEvent: readsEvent(query) }
}

function compile(query: Query, lower: LowerCase): Judge {
  switch (query.kind) {
    case 'all':
      return () => true
    case 'and':
    case 'or': {
      // One part decides; if none does, one that is undecided leaves the whole undecided.
      const decisive = query.kind === 'or'
      const judges = query.parts.map((part) => compile(part, lower))
      return (subject) => combined(judges, subject, decisive)
    }
    case 'not': {
      const judge = compile(query.part, lower)
      return (subject) => negated(judge(subject))
    }
    case 'term': {
      const fields = query.field === null ? BARE_WORDS : [query.field.name]
      const judges = fields.map((field) => fieldOf(field, lower).equals(query.word))
      return (subject) => combined(judges, subject, true)
    }
    case 'range':
      return fieldOf(query.field.name, lower).between(query.from, query.to)
  }
}

function combined(judges: readonly Judge[], subject: Subject, decisive: boolean): Verdict {
  let verdict: Verdict = !decisive
  for (const judge of judges) {
    const each = judge(subject)
    if (each === decisive) return decisive
    if (each === undefined) verdict = undefined
  }
  return verdict
}

const negated = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict)

function readsEvent(query: Query): boolean {
  if (query.kind === 'all') return false
  if (query.kind === 'not') return readsEvent(query.part)
  if ('parts' in query) return query.parts.some(readsEvent)
  return query.field !== null && OF_EVENTS.has(query.field.name)
}
