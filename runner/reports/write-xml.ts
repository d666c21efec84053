import { xmlAttribute, xmlText } from '../../formats/xml-text.ts'
import { inTurns } from '../../platform/async/turns.ts'

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
  const content = [...(text ? [xmlText(withoutMark(text))] : []), ...files.map(fileLine)].join('\n')
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
    if (value !== null && value !== undefined)
      text += ` ${name}="${xmlAttribute(withoutMark(String(value)))}"`
  return text
}

/** Begins the name of a file that build servers publish, wherever a report has it. */
const FILE_MARK = '[[ATTACHMENT|'

const fileLine = (path: string): string => `${FILE_MARK}${xmlText(path)}]]`

/** Texts come from components and tools, so none of them may name a file. */
const withoutMark = (text: string): string => text.replaceAll(FILE_MARK, '[ [ATTACHMENT|')
