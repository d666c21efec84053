import { create } from 'xmlbuilder2'

/** An element of XML. */
export interface XmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly XmlElement[]
  /** Text of the element itself, not of its children. */
  text: string
}

/** The library closes every element at the end of the text. In a text that was cut off, this lands in one of them. */
const END = 'end of the text'

/** Reads XML; a document type, and with it all entities but the five of XML, counts for nothing. @throws Error */
export function parseXml(text: string): XmlElement {
  // The text is decoded, and XML 1.1, which Jenkins writes, differs in nothing that matters here.
  const given = text.replace(/^\uFEFF?\s*(<\?xml\s[^>]*\?>)?\s*/, '').replace(/\r\n?/g, '\n') // XML 1.0, 2.11, which the library leaves out
  if (given === '') throw new Error('it is empty')
  if (!given.startsWith('<')) throw new Error(`it is no XML, but begins with ${startOf(given)}`)
  const root = rootOf(given)
  if (root.doc().node.lastChild?.nodeValue !== END)
    throw new Error('it is cut off, or an element in it has no end')
  return elementOf(root.node as unknown as DomElement) // the library's own DOM
}

const MAX_START = 40
const startOf = (text: string): string => JSON.stringify(text.slice(0, MAX_START).split('\n', 1)[0])

/** @throws Error in one line, without what was added to the text */
function rootOf(text: string) {
  try {
    return create({ parser: READER }, `${text}<!--${END}-->`).root()
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n')
    const isSecond = reason.includes('already has a document element')
    throw new Error(
      isSecond ? 'it has several roots' : `it is no XML: ${reason.split('<!--', 1)[0]}`,
    )
  }
}

/** All elements of that name, at any depth. */
export const elements = (
  { children }: Pick<XmlElement, 'children'>,
  name: string,
): readonly XmlElement[] =>
  children.flatMap((child) => [...(child.name === name ? [child] : []), ...elements(child, name)])

interface DomElement {
  nodeName: string
  nodeType: number
  nodeValue: string | null
  attributes: Iterable<{ name: string; value: string }>
  childNodes: Iterable<DomElement>
}

const ELEMENT = 1
const TEXT = 3
const CDATA = 4

function elementOf({ nodeName, attributes, childNodes }: DomElement): XmlElement {
  const nodes = [...childNodes]
  const named = [...attributes].map(({ name, value }) => [name, value])
  return {
    name: nodeName,
    attributes: Object.fromEntries(named),
    children: nodes.filter(({ nodeType }) => nodeType === ELEMENT).map(elementOf),
    text: nodes.map(textOf).join(''),
  }
}

const textOf = ({ nodeType, nodeValue }: DomElement): string =>
  nodeType === CDATA || nodeType === TEXT ? (nodeValue ?? '') : ''

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** A reference to no character, as kyua writes, stays as it is. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (reference, decimal, hex, name) => {
    if (name) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? reference) : reference
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : reference
  })

/** The library would read what a reference to `&` stands for as a reference once more. */
const READER: object = { _decodeText: decoded }
