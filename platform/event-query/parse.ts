import type { Bound, FieldName, Query, Word } from './query.ts'
import { Scanner } from './scanner.ts'
import { syntaxError } from './syntax-error.ts'

const MAX_LENGTH = 8_192
const MAX_DEPTH = 64

/** Stands before the name of a field that must have a value. */
const EXISTS = '_exists_'

/**
 * Parses the subset of Lucene's query syntax that reads events: `field:value`, "phrases", AND OR NOT -, parentheses,
 * `*` and `?`, ranges `[a TO b]` and `{a TO b}`, comparisons `field:>a`, `*:*` and `_exists_:field`. What stands side by
 * side must all match.
 * @throws AppError BAD_USER_INPUT that names the position of the fault
 */
export function parseQuery(text: string): Query {
  if (text.length > MAX_LENGTH) throw syntaxError('the query is too long', MAX_LENGTH)
  if (!text.isWellFormed() || text.includes('\0'))
    throw syntaxError(
      'it holds a character that no event can hold',
      Math.max(0, text.indexOf('\0')),
    )
  const scanner = new Scanner(text)
  const query = readOr(scanner, null, 0)
  if (!scanner.isAtEnd) throw syntaxError('something is left over', scanner.offset)
  return query
}

/** @param field that a group stands for, as in `tags:(a OR b)` */
function readOr(scanner: Scanner, field: FieldName | null, depth: number): Query {
  if (depth > MAX_DEPTH) throw syntaxError('it is nested too deeply', scanner.offset)
  const parts = [readAnd(scanner, field, depth)]
  while (scanner.takeOperator('OR', '||')) parts.push(readAnd(scanner, field, depth))
  return join('or', parts)
}

function readAnd(scanner: Scanner, field: FieldName | null, depth: number): Query {
  const parts = [readNot(scanner, field, depth)]
  for (;;) {
    if (!scanner.takeOperator('AND', '&&') && isAtEndOfAnd(scanner)) return joinAnd(parts, field)
    parts.push(readNot(scanner, field, depth))
  }
}

/** @param field that they are about, unless they name one of their own */
function joinAnd(parts: Query[], field: FieldName | null): Query {
  const words = parts.filter(
    (part) => !('word' in part && part.word.isPunctuation && part.field === field),
  )
  return join('and', words.length > 0 ? words : parts)
}

function isAtEndOfAnd(scanner: Scanner): boolean {
  if (scanner.isAtEnd || scanner.isAt(')')) return true
  const { offset } = scanner
  const isOr = scanner.takeOperator('OR', '||')
  scanner.offset = offset
  return isOr
}

function readNot(scanner: Scanner, field: FieldName | null, depth: number): Query {
  if (depth > MAX_DEPTH) throw syntaxError('it is nested too deeply', scanner.offset)
  if (scanner.takeOperator('NOT') || scanner.takePrefix('-', '!'))
    return { kind: 'not', part: readNot(scanner, field, depth + 1) }
  scanner.takePrefix('+')
  const clause = readClause(scanner, field, depth)
  scanner.refuseModifier()
  return clause
}

function readClause(scanner: Scanner, field: FieldName | null, depth: number): Query {
  if (scanner.isAtEnd) throw syntaxError('the query ends too early', scanner.offset)
  scanner.refuseOperator(
    ['AND', '&&', 'OR', '||'],
    (operator) => `${operator} stands between two conditions, and one is missing before it`,
  )
  if (scanner.take('(')) return readGroup(scanner, field, depth)
  const { offset } = scanner
  if (scanner.take('"')) return termOf(field, scanner.phrase(), offset)
  const range = field === null ? undefined : readRange(scanner, field)
  if (range) return range
  const word = scanner.word()
  if (!scanner.take(':')) return termOf(field, word, offset)
  if (field !== null) throw syntaxError('a field within a field', offset)
  return readValue(scanner, { name: word.text, offset }, depth)
}

function readValue(scanner: Scanner, field: FieldName, depth: number): Query {
  const { offset } = scanner
  if (scanner.take('(')) return readGroup(scanner, field, depth)
  if (scanner.take('"')) return termOf(field, scanner.phrase(), offset)
  scanner.refuseSign(field.name)
  scanner.refuseOperator(['NOT', 'AND', 'OR'], (operator) =>
    operator === 'NOT'
      ? `NOT stands before the field, as in NOT ${field.name}:…`
      : `a value is missing before ${operator}`,
  )
  // Times hold colons: `firstSeenAt:2026-11-20T12:00:00Z`.
  return readRange(scanner, field) ?? termOf(field, scanner.word(/[\s()[\]{}"]/), offset)
}

function termOf(field: FieldName | null, word: Word, offset: number): Query {
  if (field?.name === '*' && word.text === '*') return { kind: 'all' }
  if (field?.name !== EXISTS) return { kind: 'term', field, word, offset }
  if (word.like !== null) throw syntaxError('the name of a field has no wildcards', offset)
  const named = { name: word.text, offset }
  return { kind: 'term', field: named, word: { text: '*', like: '%' }, offset }
}

function readGroup(scanner: Scanner, field: FieldName | null, depth: number): Query {
  const open = scanner.offset - 1
  const query = readOr(scanner, field, depth + 1)
  if (!scanner.take(')')) throw syntaxError('the parenthesis is not closed', open)
  return query
}

/** @returns undefined where neither a range nor a comparison stands */
function readRange(scanner: Scanner, field: FieldName): Query | undefined {
  const { offset } = scanner
  const comparison = scanner.takeComparison()
  if (comparison) {
    const bound = { text: readBound(scanner), isIncluded: comparison.endsWith('=') }
    const open = { text: null, isIncluded: false }
    const [from, to] = comparison.startsWith('>') ? [bound, open] : [open, bound]
    return { kind: 'range', field, from, to, offset }
  }
  if (!scanner.isAt('[') && !scanner.isAt('{')) return undefined
  const includesFrom = scanner.take('[') || !scanner.take('{')
  const from = readBound(scanner)
  if (!scanner.takeOperator('TO')) throw syntaxError('TO is missing', scanner.offset)
  const to = readBound(scanner)
  const includesTo = scanner.take(']')
  if (!includesTo && !scanner.take('}')) throw syntaxError('the range is not closed', offset)
  return {
    kind: 'range',
    field,
    from: { text: from, isIncluded: includesFrom },
    to: { text: to, isIncluded: includesTo },
    offset,
  }
}

function readBound(scanner: Scanner): Bound['text'] {
  if (scanner.take('"')) return scanner.phrase().text
  const { text } = scanner.word(/[\s()[\]{}"]/)
  return text === '*' ? null : text
}

function join(kind: 'and' | 'or', parts: Query[]): Query {
  const [only, ...others] = parts
  return only && others.length === 0 ? only : { kind, parts }
}
