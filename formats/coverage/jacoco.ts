import { elements, parseXml, type XmlElement } from '../xml.ts'
import { type CoverageReport, collectLines } from './collect-lines.ts'
import { jvmPlaces } from './jvm-places.ts'

/**
 * Reads the XML of JaCoCo: a line ran where one of its instructions did. Modules of an aggregated report are groups,
 * named as their folders are. @throws Error unless the text is one
 */
export function jacoco(text: string): CoverageReport {
  const root = parseXml(text)
  if (root.name !== 'report') throw new Error('its root is not report')
  const found = collectLines()
  const inGroup = (group: XmlElement, folder: string): void => {
    for (const each of group.children) {
      const { name = '' } = each.attributes
      if (each.name === 'group') inGroup(each, `${folder}${name}/`)
      if (each.name !== 'package') continue
      for (const source of elements(each, 'sourcefile')) {
        const path = [name, source.attributes.name].filter(Boolean).join('/')
        const file = found.file(folder + path, jvmPlaces(path, folder))
        for (const { attributes } of elements(source, 'line'))
          file.row(attributes.nr, attributes.ci, `line ${attributes.nr} of ${path}`)
      }
    }
  }
  inGroup(root, '')
  return found.report()
}
