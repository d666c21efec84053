import { AppError } from '../../../schema/errors.ts'

/** Characters of a scenario as text. */
const MAX_LENGTH = 1024 * 1024
/** Uses of anchors: they can make a small text a huge value. */
const MAX_ALIASES = 100

/**
 * A scenario as a client gives it: JSON, or a text that is YAML 1.2 (and so JSON, too). Anything else is for validation
 * to refuse.
 * @throws AppError BAD_USER_INPUT that names the line
 */
export async function readScenario(given: unknown): Promise<unknown> {
  if (typeof given !== 'string') return given
  if (given.length > MAX_LENGTH)
    throw refused(`is a text of more than ${MAX_LENGTH} characters; give it as JSON`)
  // Loaded by the first who needs it: it takes its time, and most scenarios are JSON.
  const { LineCounter, parseDocument } = await import('yaml')
  const lineCounter = new LineCounter()
  const document = parseDocument(given, { lineCounter, prettyErrors: false })
  const [error] = [...document.errors, ...document.warnings]
  if (error) {
    const { line, col } = lineCounter.linePos(error.pos[0])
    throw refused(`is no YAML: ${error.message} (line ${line}, column ${col})`)
  }
  try {
    // What JSON cannot carry (infinite numbers, say) is not for us.
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES })) ?? 'null')
  } catch (error) {
    throw refused(`is no YAML: ${error instanceof Error ? error.message : 'unreadable'}`)
  }
}

const refused = (fault: string) => new AppError('BAD_USER_INPUT', `scenario ${fault}`)
