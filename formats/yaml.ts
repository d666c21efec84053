import {
  type Document,
  isAlias,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml'
import { AppError } from './errors.ts'
import { lossOf, numberOf } from './json/exact-number.ts'

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

/** The first thing that JSON has not: a merge key, a number that a double would change, a value or a key of another kind. */
function faultIn(document: Document): Fault | undefined {
  let found: Fault | undefined
  const stopAt = ({ range }: Node, what: string, fault: string) => {
    found = { what, at: range?.[0] ?? 0, fault }
    return visit.BREAK
  }
  const tagged = (node: Node & { tag?: string; value?: unknown }) => {
    // YAML 1.1, which a document may ask for, has dates without a tag.
    const [, name] =
      node.value instanceof Date ? ['', 'timestamp'] : (FOREIGN_TAG.exec(node.tag ?? '') ?? [])
    return name && stopAt(node, `value of the kind !!${name}`, 'write it as JSON has it')
  }
  visit(document, {
    Scalar(_key, node) {
      const fault = numericFault(node)
      return fault ? stopAt(node, 'number', fault) : tagged(node) || undefined
    },
    Collection: (_key, node) => tagged(node) || undefined,
    Alias(_key, node, path) {
      const meant = node.resolve(document)
      if (!meant)
        return stopAt(node, `use of *${node.source}`, 'its anchor stands nowhere before it')
      return path.includes(meant)
        ? stopAt(node, `use of *${node.source}`, 'it stands within its own anchor')
        : undefined
    },
    Pair(_key, { key }) {
      if (isScalar(key) && key.source === '<<' && key.type === 'PLAIN')
        return stopAt(key, 'merge key (<<)', NO_MERGE)
      const meant = isAlias(key) ? key.resolve(document) : key
      if (!isNode(key) || isText(meant)) return undefined
      return stopAt(
        key,
        'key that is no text',
        'put it in quotation marks, or give it another name',
      )
    },
  })
  return found
}

/** Kinds that the library reads, and that become something else as JSON. */
const FOREIGN_TAG = /^tag:yaml\.org,2002:(set|omap|pairs|binary|timestamp|merge)$/

/** Also a number that is written as its text, such as a status, and one with a fault of its own. */
function isText(key: unknown): boolean {
  if (!isScalar(key) || key.value === null) return false
  const { value, source } = key
  return typeof value === 'string' || String(value) === source || Boolean(numericFault(key))
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
