import { isObject } from '../json-values.ts'
import type { CoveredFile } from './file-coverage.ts'
import { isLine } from './is-line.ts'

/** Reads `coverage-final.json` as istanbul and its users write it. @throws Error unless the text is one */
export function istanbul(text: string): CoveredFile[] {
  const report: unknown = JSON.parse(text)
  if (!isObject(report)) throw new Error('it is no object')
  return Object.entries(report).map(([key, file]) => {
    if (!isObject(file) || !isObject(file.statementMap) || !isObject(file.s))
      throw new Error(`it lacks the statements of ${key}`)
    const lines = new Map<number, boolean>()
    for (const [statement, place] of Object.entries(file.statementMap)) {
      const start = isObject(place) && isObject(place.start) ? place.start.line : undefined
      if (!isLine(start)) throw new Error(`it lacks the lines of ${key}`)
      lines.set(start, lines.get(start) === true || Number(file.s[statement]) > 0)
    }
    return { path: typeof file.path === 'string' ? file.path : key, lines }
  })
}
