import { inTurns } from '../../../platform/async/turns.ts'

/** An element to write. Its children are made while it is written. */
export interface XmlNode {
  name: string
  /** Those without a value are left out. */
  attributes?: Readonly<Record<string, string | number | null | undefined>>
  /** In front of its children. */
  text?: string | null
  /** Paths of files of a test behind the text, for build servers to find. */
  files?: readonly string[]
  children?: Iterable<XmlNode>
}

/** Writes a document, and lets other requests have their turn meanwhile. */
export async function writeXml(root: XmlNode): Promise<string> {
  const text = await inTurns(documentOf(root))
  return text.toString()
}

function* documentOf(root: XmlNode): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>'
  for (const line of linesOf(root, '')) yield `\n${line}`
}

function* linesOf(
  { name, attributes, text, files = [], children = [] }: XmlNode,
  indent: string,
): Generator<string> {
  const start = `${indent}<${name}${attributesOf(attributes)}`
  const content = [...(text ? [escaped(text)] : []), ...files.map(fileLine)].join('\n')
  let isOpen = false
  for (const child of children) {
    if (!isOpen) yield `${start}>${content}`
    isOpen = true
    yield* linesOf(child, `${indent}  `)
  }
  if (isOpen) yield `${indent}</${name}>`
  else yield content ? `${start}>${content}</${name}>` : `${start}/>`
}

function attributesOf(attributes: XmlNode['attributes'] = {}): string {
  let text = ''
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined) text += ` ${name}="${quoted(String(value))}"`
  return text
}

/** Begins the name of a file that build servers publish, wherever a report has it. */
const FILE_MARK = '[[ATTACHMENT|'

const fileLine = (path: string): string => `${FILE_MARK}${entities(path)}]]`

/** Texts come from components and tools, so none of them may name a file. */
const escaped = (text: string): string => entities(text.replaceAll(FILE_MARK, '[ [ATTACHMENT|'))

const entities = (text: string): string =>
  xmlText(text).replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#xD;')

/** Readers make spaces of breaks that are not escaped (XML 1.0, section 3.3.3). */
const quoted = (text: string): string =>
  escaped(text).replaceAll('"', '&quot;').replaceAll('\n', '&#xA;').replaceAll('\t', '&#x9;')

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are replaced
const NOT_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g

/** Text as XML 1.0 can carry it (section 2.2), with its ampersands escaped: everything else becomes U+FFFD. */
export const xmlText = (text: string): string =>
  text.toWellFormed().replace(NOT_XML, '\uFFFD').replaceAll('&', '&amp;')
