import { asDoubles, parseExact } from './json/json.ts'

/** One field: text that was quoted stays text. */
interface Field {
  text: string
  isQuoted: boolean
}

/**
 * Reads CSV (RFC 4180) whose first line has names. A field without quotes that reads as a number, a truth value or null
 * becomes one; a quoted field is text.
 * @throws Error that names the line or the column
 */
export function parseCsv(text: string): Record<string, unknown>[] {
  const [head, ...lines] = linesOf(text.replace(/^\uFEFF/, ''))
  if (!head) throw new Error('it is empty; its first line names the columns')
  const names = head.map((field) => field.text)
  refuseNames(head)
  return lines.map((fields, at) => {
    if (fields.length !== names.length)
      throw new Error(`line ${at + 2} has ${fields.length} fields, and the first ${names.length}`)
    try {
      return Object.fromEntries(fields.map((field, column) => [names[column], readField(field)]))
    } catch (error) {
      throw new Error(`line ${at + 2}: ${error instanceof Error ? error.message : error}`)
    }
  })
}

/** A row is an object: a name that stands twice, or none, would lose values. */
function refuseNames(head: readonly Field[]): void {
  const seen = new Set<string>()
  for (const [column, { text, isQuoted }] of head.entries()) {
    if (text.trim() === '') throw new Error(`column ${column + 1} has no name in the first line`)
    if (seen.has(text)) throw new Error(`two columns have the name ${text}`)
    if (head.length === 1 && !isQuoted && text.includes(';'))
      throw new Error(`its only column is ${text}: columns are separated by commas`)
    seen.add(text)
  }
}

const LITERAL = /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/

const readField = ({ text, isQuoted }: Field): unknown =>
  !isQuoted && LITERAL.test(text) ? asDoubles(parseExact(text)) : text

/** A field with the separator or line end behind it. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n?|\n|$)/y

function linesOf(text: string): Field[][] {
  const lines: Field[][] = []
  let line: Field[] = []
  FIELD.lastIndex = 0
  while (FIELD.lastIndex < text.length) {
    const found = FIELD.exec(text)
    if (!found) throw new Error(`line ${lines.length + 1} has a quote that does not fit`)
    const [, quoted, plain = '', end] = found
    const isQuoted = quoted !== undefined
    line.push({ text: isQuoted ? quoted.replaceAll('""', '"') : plain, isQuoted })
    if (end === ',' && FIELD.lastIndex < text.length) continue
    if (end === ',') line.push({ text: '', isQuoted: false })
    lines.push(line)
    line = []
  }
  return lines.filter(([first, ...others]) => others.length > 0 || first?.text || first?.isQuoted)
}
