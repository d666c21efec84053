import { isObject, mapJson, sizeOf, textsIn, toJson } from '../../formats/json/values.ts'
import { RunError } from '../run/error.ts'

/** Names for templates, by the first word. */
export interface Scope {
  /** The row of the dataset. */
  row: Readonly<Record<string, unknown>>
  /** Captures of earlier steps. */
  capture: Record<string, unknown>
  /** Variables and secrets of the environment, and its `baseUrl`. */
  env: Readonly<Record<string, unknown>>
  /** Variables of the scenario. */
  var: Readonly<Record<string, unknown>>
  /** Captures of the setup of its suite. */
  setup: Readonly<Record<string, unknown>>
}

const ROOTS = ['row', 'capture', 'env', 'var', 'setup'] as const
/** Braces around something. With a backslash before them they stand for themselves. */
const TEMPLATE = /(\\?)\{\{([^{}]*)\}\}/g
/** Characters that all templates of one step insert. */
const MAX_INSERTED = 1024 * 1024
/** Beginning of a name; without one, as in `{{7*7}}`, braces are text like any other. */
const NAME = /^\s*[a-z_]/i

/**
 * Fills in the templates of JSON. A text that is nothing but one template becomes the value itself, whatever its type;
 * within other text, a value that is no text is written as JSON. What is filled in is not looked at again.
 * @throws RunError UNKNOWN_NAME, TEMPLATE_LIMIT
 */
export const fillIn = <Value>(value: Value, scope: Scope, budget = createInsertBudget()): Value =>
  mapJson(value, (part) =>
    typeof part === 'string' ? filledText(part, scope, budget) : part,
  ) as Value // templates are text, and so is their place

/** Takes what templates insert. @throws RunError TEMPLATE_LIMIT */
export type InsertBudget = (inserted: unknown) => void

/** Room for what belongs to one step. */
export function createInsertBudget(max = MAX_INSERTED): InsertBudget {
  let size = 0
  return (inserted) => {
    size += sizeOf(inserted, max)
    if (size > max)
      throw new RunError(
        'TEMPLATE_LIMIT',
        `The templates of a step insert more than ${max} characters: capture and insert only the parts that it uses`,
      )
  }
}

function filledText(text: string, scope: Scope, take: InsertBudget): unknown {
  if (isTemplate(text)) {
    const value = lookUp(text.slice(2, -2), scope)
    take(value)
    return value
  }
  return text.replace(TEMPLATE, (template, backslash: string, name: string) => {
    if (backslash) return template.slice(1)
    if (!NAME.test(name)) return template
    const value = lookUp(name, scope)
    take(value)
    return typeof value === 'string' ? value : toJson(value)
  })
}

/** True if a text is nothing but one template, and so becomes its value. */
export const isTemplate = (text: string): boolean => {
  const [, name] = /^\{\{([^{}]*)\}\}$/.exec(text) ?? []
  return name !== undefined && NAME.test(name)
}

/** A whole name first, as names may hold dots; then a path of keys and positions. */
function lookUp(template: string, scope: Scope): unknown {
  const name = template.trim()
  const [root = '', ...keys] = name.split('.')
  if (!isRoot(root)) throw unknown(name)
  const held: unknown = scope[root]
  if (keys.length === 0) return held
  const direct = member(held, keys.join('.'))
  const value = direct === undefined ? keys.reduce(member, held) : direct
  if (value === undefined) throw unknown(name)
  return value
}

const isRoot = (name: string): name is (typeof ROOTS)[number] => ROOTS.some((root) => root === name)

const member = (value: unknown, key: string): unknown => {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

const unknown = (name: string) =>
  new RunError('UNKNOWN_NAME', `The template {{${name}}} names what is not there`)

/** Templates that are filled in, without backslashes before them: each as it stands, and what is in its braces. */
const templatesIn = (value: unknown): { template: string; name: string }[] =>
  textsIn(value).flatMap((text) =>
    [...text.matchAll(TEMPLATE)].flatMap(([template, backslash, given = '']) =>
      backslash ? [] : [{ template, name: given.trim() }],
    ),
  )

/** Names in templates behind a root, such as `token.id` of `{{capture.token.id}}`. */
export const namedIn = (value: unknown, root: keyof Scope): string[] =>
  templatesIn(value)
    .filter(({ name }) => name.startsWith(`${root}.`))
    .map(({ name }) => name.slice(root.length + 1))

/** Templates whose first word names nothing; such a scenario can never run. */
export const hopelessTemplates = (value: unknown): string[] =>
  templatesIn(value)
    .filter(({ name }) => NAME.test(name) && !isRoot(name.split('.')[0] ?? ''))
    .map(({ template }) => template)
