import type { EventRowFragment } from '../graph/generated.ts'

const TOKEN = /"(?:\\.|[^"\\])*"|\\.|[()[\]{}]|\s+|[^\s"\\()[\]{}]+|./gsu
const OPENING = /^[([{]$/
const CLOSING = /^[)\]}]$/
/** Beginnings that the next word belongs to: a negation, or a field whose value stands behind a blank. Signs before a blank are text. */
const UNFINISHED = /^NOT$|[:<>]$|[<>]=$/
/** Endings that may stand directly before a phrase or a parenthesis. */
const OPEN_ENDED = /^$|[:<>+!-]$|[<>]=$/

/** Without a phrase or a wildcard it is no word, beside others. */
const PUNCTUATION = /^(?:(?!["*?])[\p{P}+<=>|~^`$])+$/u

/** The parts of a query that must all hold, as they are written; null where that is not sure, as with OR. */
export function clausesOf(query: string): string[] | null {
  const words = wordsOf(query)
  if (!words) return null
  const clauses: string[] = []
  let unfinished = ''
  for (const word of words) {
    // A blank before a colon leaves open which word is the field.
    if (!unfinished && (word === 'OR' || word === '||' || word.startsWith(':'))) return null
    if (!unfinished && (word === 'AND' || word === '&&')) continue
    const clause = unfinished + word
    unfinished = UNFINISHED.test(word) ? `${clause} ` : ''
    if (!unfinished) clauses.push(clause)
  }
  if (unfinished) return null
  const told = clauses.filter((clause) => !PUNCTUATION.test(clause))
  return told.length > 0 ? told : clauses
}

/** Words that blanks separate outside of phrases, parentheses and ranges; null where words stand side by side without a blank. */
function wordsOf(query: string): string[] | null {
  const words: string[] = []
  let word = ''
  let depth = 0
  let isClosed = false
  for (const [token] of query.matchAll(TOKEN)) {
    if (token === '"' || token === '\\') return null // nothing closes it, or follows it
    const isPhrase = token.startsWith('"')
    if (depth === 0 && token.trim() === '') {
      words.push(word)
      word = ''
      isClosed = false
      continue
    }
    if (depth === 0 && isClosed) return null
    if (depth === 0 && (isPhrase || OPENING.test(token)) && !OPEN_ENDED.test(word)) return null
    word += token
    if (OPENING.test(token)) depth++
    if (CLOSING.test(token)) depth--
    if (depth < 0) return null
    isClosed = depth === 0 && (isPhrase || CLOSING.test(token))
  }
  return depth === 0 ? [...words, word].filter(Boolean) : null
}

type Judge = (row: EventRowFragment) => boolean

/**
 * The stream judges events as they have become, and does not report one that leaves the list. So a list follows its
 * query without the clauses on status and severity, and judges these itself.
 * @returns the query without them
 */
export function followed(query: string | null): { others: string | null; isWanted: Judge } {
  const clauses = query === null ? [] : clausesOf(query)
  if (!clauses) return { others: query, isWanted: () => true }
  const judges = clauses.flatMap((clause) => judgeOf(clause) ?? [])
  const others = clauses.filter((clause) => judgeOf(clause) === null)
  return {
    others: others.length > 0 ? others.join(' AND ') : null,
    isWanted: (row) => judges.every((isMet) => isMet(row)),
  }
}

/** The server knows these words in any case. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  status: ['OPEN', 'CLOSED', 'ACKNOWLEDGED', 'OK'],
  severity: ['INFO', 'WARN', 'ERROR', 'CRITICAL'],
}

const JUDGED = /^(NOT |[-!])?(status|severity): ?(?:(\w+)|\((\w+(?: OR \w+)*)\))$/

function judgeOf(clause: string): Judge | null {
  const [, not, field, one, several] = JUDGED.exec(clause) ?? []
  if (field !== 'status' && field !== 'severity') return null
  const words = (one ?? several ?? '').split(' OR ').map((word) => word.toUpperCase())
  if (!words.every((word) => KNOWN[field]?.includes(word))) return null
  return (row) => words.includes(row[field]) === (not === undefined)
}

/** Query that all changes of an event match, with as few others as possible: its fingerprint is formed of these fields. */
export function identityOf({
  title,
  source,
  eventClass,
  fingerprintExplanation: { used },
}: Identified): string {
  const fields = [
    ['source.ref', source?.ref],
    ['source.type', source?.type],
    ['eventClass', eventClass],
  ] as const
  const clauses = fields.map(([field, value]) =>
    value == null ? `NOT _exists_:${field}` : `${field}:${phrase(value)}`,
  )
  // Titles contain what is looked for, and queries have a greatest length.
  if (used.some(({ name }) => name === '@title'))
    clauses.push(`title:${phrase([...title].slice(0, TITLE_LENGTH).join(''))}`)
  return clauses.join(' AND ')
}

const TITLE_LENGTH = 500

interface Identified {
  title: string
  source: { ref: string | null; type: string | null } | null
  eventClass: string | null
  fingerprintExplanation: { used: readonly { name: string }[] }
}

/** Text as a value that the syntax reads as nothing else. */
export const phrase = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`
