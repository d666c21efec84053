import { elements, parseXml, type XmlElement } from '../xml.ts'
import { type CoverageReport, collectLines, plainPath } from './collect-lines.ts'
import { jvmPlaces } from './jvm-places.ts'

/** Reads Clover XML, of PHPUnit, istanbul and OpenClover. @throws Error unless the text is one */
export function clover(text: string): CoverageReport {
  const root = parseXml(text)
  if (root.name !== 'coverage') throw new Error('its root is not coverage')
  if (root.children.some(({ name }) => name === 'packages'))
    throw new Error('it is Cobertura, whose format is "cobertura"')
  if (elements(root, 'lineToCover').length > 0)
    throw new Error('it is the generic format of SonarQube, which is not read')
  const found = collectLines()
  const inFolder = (parent: XmlElement, folder: string): void => {
    for (const each of parent.children) {
      if (each.name === 'package') inFolder(each, each.attributes.name ?? '')
      else if (each.name === 'file') readFile(each, folder)
      else inFolder(each, folder)
    }
  }
  const readFile = (element: XmlElement, folder: string): void => {
    const { path, name = '' } = element.attributes
    const isJvm = !path && /^[\w.]+$/.test(folder) && /^\w+\.(java|kt|groovy|scala)$/.test(name)
    const named = path || (isJvm ? `${folder.replaceAll('.', '/')}/${name}` : name)
    if (named === '') {
      found.leaveOut('a file without a name')
      return
    }
    const file = found.file(plainPath(named), isJvm ? jvmPlaces(named) : [])
    for (const { attributes } of elements(element, 'line')) {
      const { num, type, count, truecount, falsecount } = attributes
      // The head of a method counts its calls, and is no statement.
      if (type === 'method') continue
      const hits = count ?? Number(truecount) + Number(falsecount)
      file.row(num, hits, `line ${num} of ${named} with ${hits} hits`)
    }
  }
  inFolder(root, '')
  return found.report()
}
