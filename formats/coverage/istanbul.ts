import { isObject } from '../is-object.ts'
import { type CoverageReport, collectLines, plainPath } from './collect-lines.ts'

/** Reads `coverage-final.json` as istanbul and its users write it. @throws Error unless the text is one */
export function istanbul(text: string): CoverageReport {
  const report: unknown = JSON.parse(text)
  if (!isObject(report)) throw new Error('it is no object')
  const found = collectLines()
  for (const [key, given] of Object.entries(report)) {
    // Some versions of the library write each file within `data`.
    const file = isObject(given) && isObject(given.data) ? given.data : given
    if (!isObject(file) || !isObject(file.statementMap) || !isObject(file.s)) {
      found.leaveOut(`${key}, which has no statements`)
      continue
    }
    const path = typeof file.path === 'string' && file.path !== '' ? file.path : key
    const lines = found.file(plainPath(path))
    for (const [statement, place] of Object.entries(file.statementMap)) {
      const start = isObject(place) && isObject(place.start) ? place.start.line : undefined
      lines.row(start, file.s[statement], `statement ${statement} of ${path}`)
    }
  }
  return found.report()
}
