import type { XmlElement } from '../xml.ts'

/**
 * Class of a test without the version of its browser, which changes with each update. Karma has the name of the suite
 * before the class, with other signs; Testem has the browser alone. Classes of others stay as they are.
 */
export function classWithoutVersion(classname: string, suite?: XmlElement): string {
  const { name = '' } = suite?.attributes ?? {}
  if (name === 'Testem Tests') return withoutVersions(classname)
  const browser = inClass(name)
  return KARMA.test(name) && `${classname}.`.startsWith(`${browser}.`)
    ? inClass(withoutVersions(name)) + classname.slice(browser.length)
    : classname
}

/** A browser and its system: `Chrome Headless 156.0.0.0 (Linux 0.0.0)`. */
const KARMA = / \d[\d.]* \(.+\)$/

const inClass = (name: string): string => name.replace(/[ .]/g, '_')

const withoutVersions = (name: string): string => name.replace(/ \d[\d.]*(?=[ )]|$)/g, '')
