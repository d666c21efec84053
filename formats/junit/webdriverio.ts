import type { XmlElement } from '../xml.ts'
import { propertyIn } from './faults.ts'

/** A test as its run went, where its tool writes something else. */
export interface MeantTest {
  test: XmlElement
  /** It was run once more, as a test of the same name behind it. */
  isRepeated: boolean
}

/**
 * WebdriverIO has the version of the browser in the class of a test, which changes with each update, and writes a failed
 * run that it repeats as skipped, with its error. Tests of others stay as they are.
 */
export function meantByWebdriverio(test: XmlElement, suite?: XmlElement): MeantTest {
  const about = suite?.children ?? []
  const browser = propertyIn(about, /^capabilities$/)
  if (!browser || propertyIn(about, /^specId$/) === undefined) return { test, isRepeated: false }
  const { attributes, children } = test
  const { classname = '' } = attributes
  const isOfBrowser = classname.startsWith(`${browser}.`)
  const named = {
    ...test,
    attributes: isOfBrowser
      ? { ...attributes, classname: withoutVersion(browser) + classname.slice(browser.length) }
      : attributes,
  }
  const error = children.find(({ name }) => name === 'system-err')
  const isRepeated = error !== undefined && children.some(isSkip)
  if (!isRepeated) return { test: named, isRepeated }
  const others = children.filter((each) => each !== error && !isSkip(each))
  return { test: { ...named, children: [...others, { ...error, name: 'failure' }] }, isRepeated }
}

const withoutVersion = (browser: string): string => browser.replace(/\.\d+(_\d+)*(?=\.|$)/, '')

const isSkip = ({ name }: XmlElement): boolean => name === 'skipped'
