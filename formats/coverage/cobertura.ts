import { posix } from 'node:path'
import { elements, parseXml, type XmlElement } from '../xml.ts'
import { type CoverageReport, collectLines, isAbsolute, plainPath } from './collect-lines.ts'

/** Maximum number of sources; some tools list each folder of a file. */
const MAX_ROOTS = 20

/**
 * Reads Cobertura XML. Lines of methods count only where their class has none: istanbul writes the head of a function as
 * a line of its method, which is no line of code. @throws Error unless the text is one
 */
export function cobertura(text: string): CoverageReport {
  const root = parseXml(text)
  if (root.name !== 'coverage') throw new Error('its root is not coverage')
  if (root.children.some(({ name }) => name === 'project'))
    throw new Error('it is Clover, whose format is "clover"')
  const roots = elements(root, 'source')
    .map((source) => plainPath(source.text.trim()))
    .filter(Boolean)
    .slice(0, MAX_ROOTS)
  const found = collectLines()
  for (const each of elements(root, 'class')) {
    const { filename } = each.attributes
    if (!filename) {
      found.leaveOut(`the class ${each.attributes.name ?? ''} without a file`)
      continue
    }
    const path = plainPath(filename)
    const places = isAbsolute(path) ? [] : roots.map((folder) => posix.join(folder, path))
    const [place = path] = places
    // None of several folders is surer than the others; `..` is from a folder that the report does not name.
    const isSure = places.length === 1 && !place.startsWith('../')
    const file = found.file(isSure ? place : path, places)
    const own = linesIn(each)
    for (const { attributes } of own.length > 0 ? own : elements(each, 'line'))
      file.row(
        attributes.number,
        attributes.hits,
        `line ${attributes.number} of ${filename} with ${attributes.hits} hits`,
      )
  }
  return found.report()
}

const linesIn = ({ children }: XmlElement): readonly XmlElement[] =>
  children
    .filter(({ name }) => name === 'lines')
    .flatMap((lines) => lines.children.filter(({ name }) => name === 'line'))
