import { plainText } from '../plain-text.ts'
import type { XmlElement } from '../xml.ts'
import { propertyIn } from './faults.ts'

/**
 * OUnit has the place of a test among its siblings in its name, which changes with tests before it, and says in the output
 * alone that a test was skipped. Tests of others stay as they are.
 */
export function meantByOunit(test: XmlElement, suite?: XmlElement): XmlElement {
  if (!suite || propertyIn(suite.children, /^results_style_1_X$/) === undefined) return test
  const { attributes, children } = test
  const { name = '' } = attributes
  const own = name.replace(/:\d+(?=:|$)/g, '')
  const reason = skipsOf(suite).get(name)
  const skip = { name: 'skipped', attributes: {}, children: [], text: reason ?? '' }
  return {
    ...test,
    attributes: { ...attributes, name: own, classname: own },
    children: reason === undefined ? children : [...children, skip],
  }
}

/** Reasons by the names of tests: the output is long, and read once. */
const SKIPS = new WeakMap<XmlElement, ReadonlyMap<string, string>>()

function skipsOf(suite: XmlElement): ReadonlyMap<string, string> {
  const known = SKIPS.get(suite)
  if (known) return known
  const output = suite.children.find(({ name }) => name === 'system-out')?.text ?? ''
  const said = output.split('\n').flatMap((line): [string, string][] => {
    const [, name, reason = ''] = SKIP.exec(line) ?? []
    return name ? [[name, plainText(reason)]] : []
  })
  const skips = new Map(said)
  SKIPS.set(suite, skips)
  return skips
}

const SKIP = /^\S+ \S+ W: Skip test (.+?): (.*?)\.?$/
