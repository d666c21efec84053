import type { Diagnostic } from '@codemirror/lint'
import type { EditorView } from '@codemirror/view'
import { type Document, isNode, parseDocument, visit } from 'yaml'
import { read } from '../graph/client.ts'
import { ValidateScenarioDocument } from '../graph/generated.ts'

/** The value of a text, or its faults of form. */
export function parsed(text: string): {
  value: unknown
  document: Document.Parsed
  faults: Diagnostic[]
} {
  const document = parseDocument(text)
  const faults = document.errors.map(
    ({ message, pos: [from, to] }): Diagnostic => ({ severity: 'error', message, from, to }),
  )
  faults.push(...inexact(document))
  return { value: faults.length === 0 ? document.toJS() : undefined, document, faults }
}

/** Integers that would be stored as another one: scenarios and components work with doubles. */
function inexact(document: Document.Parsed): Diagnostic[] {
  const found: Diagnostic[] = []
  visit(document, {
    Scalar(_key, { value, source, range }) {
      if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value))
        return
      const [from, to] = range ?? [0, 0]
      const message = `${source} is beyond what a number keeps (2^53 - 1): put it in quotes`
      const quoted = { name: 'Put it in quotes', apply: quote }
      found.push({ severity: 'error', message, from, to, actions: [quoted] })
    },
  })
  return found
}

const quote = (view: EditorView, from: number, to: number) =>
  view.dispatch({ changes: { from, to, insert: `"${view.state.sliceDoc(from, to)}"` } })

/**
 * The faults of a scenario as the server finds them, each at its place in the text.
 * @param place ids of what it tests and where it runs, or empty
 */
export async function faultsOf(
  text: string,
  { component, environment }: { component: string; environment: string },
): Promise<Diagnostic[]> {
  const { value, document, faults } = parsed(text)
  if (faults.length > 0) return faults
  const { validateScenario } = await read(ValidateScenarioDocument, {
    scenario: value,
    componentUnderTest: component || null,
    environment: environment || null,
  })
  return validateScenario.faults.map((message) => ({
    severity: 'error',
    message,
    ...placeOf(message, document),
  }))
}

/** Faults name their place as a path in front, such as `/steps/0/call: …`. */
function placeOf(message: string, document: Document.Parsed): { from: number; to: number } {
  const [, place = ''] = /^(?:scenario)?([/.][^\s:]*)/.exec(message) ?? []
  const keys = place
    .split(/[/.[\]]/)
    .filter(Boolean)
    .map((key) => (/^\d+$/.test(key) ? Number(key) : key))
  while (keys.length > 0) {
    const node = document.getIn(keys, true)
    if (isNode(node) && node.range) return { from: node.range[0], to: node.range[1] }
    keys.pop()
  }
  return { from: 0, to: Math.max(0, document.toString().indexOf('\n')) }
}
