import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import { SETTINGS } from '../graph/settings.ts'

/** As much of JSON Schema as completion reads. */
interface Schema {
  $ref?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown[]
  const?: unknown
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  $defs?: Record<string, Schema>
}

let loaded: Promise<Schema> | undefined

/** The published schema of artifact files. */
const load = (): Promise<Schema> => {
  loaded ??= fetch(`${SETTINGS.apiRoot}/scenario.schema.json`).then((response) => response.json())
  return loaded
}

/** Offers the keys that a scenario may have at this place, and the values of a key that has a fixed set. */
export async function completeScenario(
  context: CompletionContext,
): Promise<CompletionResult | null> {
  const line = context.state.doc.lineAt(context.pos)
  const before = line.text.slice(0, context.pos - line.from)
  const match = /^(\s*)((?:- )*)(?:([\w-]+): +)?([\w-]*)$/.exec(before)
  const [, indent = '', item = '', key, typed = ''] = match ?? []
  if (!match || (typed === '' && !context.explicit)) return null
  const root = await load()
  const scenario = root.$defs?.testcase?.properties?.scenario
  if (!scenario) return null
  const above = context.state.doc.sliceString(0, line.from).split('\n').slice(0, -1)
  const path = pathAbove(above, indent.length + item.length, item !== '')
  const schemas = path.reduce(
    (found, step) => found.flatMap((each) => below(each, step, root)),
    flat(scenario, root),
  )
  const options = key
    ? schemas.flatMap((each) => below(each, key, root)).flatMap(valuesOf)
    : schemas.flatMap(keysOf)
  const unique = [...new Map(options.map((option) => [option.label, option])).values()]
  return unique.length === 0 ? null : { from: context.pos - typed.length, options: unique }
}

/** Keys from the top to a place, and `-` for an item of a list. */
function pathAbove(lines: readonly string[], column: number, isItem: boolean): string[] {
  const path: string[] = isItem ? ['-'] : []
  let limit = isItem ? column - 2 : column
  for (const line of lines.toReversed()) {
    const [, indent = '', item = '', key] = /^(\s*)((?:- )*)([\w-]+):/.exec(line) ?? []
    if (key === undefined) continue
    const at = indent.length + item.length
    // A list may stand at the column of its key.
    const isParent = at < limit || (path[0] === '-' && item === '' && at === limit)
    if (isParent) {
      path.unshift(key)
      limit = at
    }
    if (item !== '' && indent.length < limit && path[0] !== '-') {
      path.unshift('-')
      limit = indent.length
    }
  }
  return path
}

/** A schema with all that it refers to and chooses from. */
function flat(schema: Schema, root: Schema): Schema[] {
  const name = schema.$ref?.split('/').at(-1)
  const target = name ? root.$defs?.[name] : undefined
  const parts = [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])]
  return [
    schema,
    ...(target ? flat(target, root) : []),
    ...parts.flatMap((part) => flat(part, root)),
  ]
}

function below(schema: Schema, step: string, root: Schema): Schema[] {
  const next = step === '-' ? schema.items : schema.properties?.[step]
  return next ? flat(next, root) : []
}

const keysOf = ({ properties = {} }: Schema): Completion[] =>
  Object.entries(properties).map(([label, { description }]) => ({
    label,
    apply: `${label}: `,
    type: 'property',
    info: description,
  }))

const valuesOf = ({ enum: values = [], const: value }: Schema): Completion[] =>
  [...values, ...(value === undefined ? [] : [value])].map((each) => ({
    label: String(each),
    type: 'enum',
  }))
