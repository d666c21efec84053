import { type Document, isScalar, LineCounter, parseDocument, type Scalar, visit } from 'yaml'
import { AppError } from './errors.ts'
import { lossOf, numberOf } from './exact-number.ts'

/** Characters of a text. */
export const MAX_YAML_LENGTH = 1024 * 1024
/** Uses of anchors: they can make a small text a huge value. */
const MAX_ALIASES = 100

/**
 * Reads YAML 1.2, and so JSON, too. The library takes its time to load, and most clients send JSON: import this where it
 * is needed.
 * @param what it is, for messages
 * @throws AppError BAD_USER_INPUT that names the line
 */
export function parseYaml(text: string, what: string): unknown {
  const refused = (fault: string) => new AppError('BAD_USER_INPUT', `${what} ${fault}`)
  if (text.length > MAX_YAML_LENGTH)
    throw refused(`is a text of more than ${MAX_YAML_LENGTH} characters; give it as JSON`)
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [error] = [...document.errors, ...document.warnings]
  if (error) {
    const { line, col } = lineCounter.linePos(error.pos[0])
    const message =
      error.code === 'MULTIPLE_DOCS' ? 'It holds more than one document' : error.message
    throw refused(`is no YAML: ${message} (line ${line}, column ${col})`)
  }
  const found = faultIn(document)
  if (found) {
    const { line, col } = lineCounter.linePos(found.at)
    throw refused(`has a ${found.what} in line ${line}, column ${col}: ${found.fault}`)
  }
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })) ?? 'null')
  } catch (error) {
    throw refused(`is no YAML: ${error instanceof Error ? error.message : 'unreadable'}`)
  }
}

interface Fault {
  what: string
  at: number
  fault: string
}

/** The first merge key, or number that a double would change or that JSON has not. */
function faultIn(document: Document): Fault | undefined {
  let found: Fault | undefined
  visit(document, {
    Scalar(_key, node) {
      const fault = numericFault(node)
      if (!fault) return undefined
      found = { what: 'number', at: node.range?.[0] ?? 0, fault }
      return visit.BREAK
    },
    Pair(_key, { key }) {
      if (!isScalar(key) || key.source !== '<<' || key.type !== 'PLAIN') return undefined
      found = { what: 'merge key (<<)', at: key.range?.[0] ?? 0, fault: NO_MERGE }
      return visit.BREAK
    },
  })
  return found
}

const NO_MERGE =
  'YAML 1.2 has no merge keys; repeat the keys there, or quote "<<" where it is a name'

const SPECIAL = /^[-+]?\.(inf|nan)$/i

function numericFault({ value, source = '' }: Scalar): string | undefined {
  if (typeof value !== 'number') return undefined
  if (SPECIAL.test(source)) return `${source} is no number that JSON has`
  return lossOf(numberOf(decimalText(source)))
}

/** The digits of a number of YAML, as JSON writes them. */
function decimalText(source: string): string {
  const plain = source.replace(/^\+/, '')
  if (/^0[xo]/.test(plain)) return String(BigInt(plain))
  return plain.replace(/^(-?)\./, '$10.').replace(/\.(?!\d)/, '.0')
}
