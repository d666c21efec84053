import { LineCounter, parseDocument } from 'yaml'
import { AppError } from './errors.ts'

/** Characters of a text. */
const MAX_LENGTH = 1024 * 1024
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
  if (text.length > MAX_LENGTH)
    throw refused(`is a text of more than ${MAX_LENGTH} characters; give it as JSON`)
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const [error] = [...document.errors, ...document.warnings]
  if (error) {
    const { line, col } = lineCounter.linePos(error.pos[0])
    const message =
      error.code === 'MULTIPLE_DOCS' ? 'It holds more than one document' : error.message
    throw refused(`is no YAML: ${message} (line ${line}, column ${col})`)
  }
  try {
    // What JSON cannot carry (infinite numbers, say) is not for us.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })) ?? 'null')
  } catch (error) {
    throw refused(`is no YAML: ${error instanceof Error ? error.message : 'unreadable'}`)
  }
}
