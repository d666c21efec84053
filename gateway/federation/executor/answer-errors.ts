import { isObject, type Json } from './own.ts'
import type { Path } from './response-path.ts'

/** An error that a subgraph answers, as far as it has the form of one. */
export interface AnswerError {
  message: string | undefined
  path: Path | undefined
  extensions: Json | undefined
}

/** The errors of an answer, whatever a subgraph of others puts there: something else than a list counts as one. */
export function errorsOf(errors: unknown): AnswerError[] {
  if (errors == null) return []
  return (Array.isArray(errors) ? errors : [null]).map((error: unknown) => {
    const { message, path, extensions } = (isObject(error) ? error : {}) as Json
    return {
      message: typeof message === 'string' ? message : undefined,
      path: pathOf(path),
      extensions: isObject(extensions) ? extensions : undefined,
    }
  })
}

/** A path up to the first step that is neither a key nor a position. */
function pathOf(path: unknown): Path | undefined {
  if (!Array.isArray(path)) return undefined
  const end = path.findIndex((step) => typeof step !== 'string' && !isPosition(step))
  const known = end < 0 ? path : path.slice(0, end)
  return known.length > 0 ? known : undefined
}

const isPosition = (step: unknown): boolean => Number.isInteger(step) && Number(step) >= 0
