import { elements, parseXml } from '../../../../schema/xml.ts'
import type { CoveredFile } from './file-coverage.ts'
import { isLine } from './is-line.ts'

/** Reads Cobertura XML: `class` elements with a file name and `line` elements. @throws Error unless the text is one */
export function cobertura(text: string): CoveredFile[] {
  const root = parseXml(text)
  if (root.name !== 'coverage') throw new Error('its root is not coverage')
  const files = new Map<string, Map<number, boolean>>()
  for (const { attributes, ...each } of elements(root, 'class')) {
    const path = attributes.filename ?? ''
    const lines = files.get(path) ?? new Map<number, boolean>()
    files.set(path, lines)
    for (const { attributes } of elements(each, 'line')) {
      const line = Number(attributes.number)
      if (!isLine(line)) throw new Error(`it has a line without a number in ${path}`)
      lines.set(line, lines.get(line) === true || Number(attributes.hits) > 0)
    }
  }
  return [...files].map(([path, lines]) => ({ path, lines }))
}
