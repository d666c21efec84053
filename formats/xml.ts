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
  if (text.trim() === '') throw new Error('it is empty')
  const root = create(`${text.replace(/^\uFEFF/, '')}<!--${END}-->`).root()
  if (root.doc().node.lastChild?.nodeValue !== END)
    throw new Error('it is cut off, or an element in it has no end')
  return elementOf(root.node as unknown as DomElement) // the library's own DOM
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
  const named = [...attributes].map(({ name, value }) => [name, decoded(value)])
  return {
    name: nodeName,
    attributes: Object.fromEntries(named),
    children: nodes.filter(({ nodeType }) => nodeType === ELEMENT).map(elementOf),
    text: nodes.map(textOf).join(''),
  }
}

function textOf({ nodeType, nodeValue }: DomElement): string {
  if (nodeType === CDATA) return nodeValue ?? ''
  return nodeType === TEXT ? decoded(nodeValue ?? '') : ''
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

/** The library leaves references as they are written. */
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi, (reference, decimal, hex, name) => {
    if (name) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? reference) : reference
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : reference
  })
