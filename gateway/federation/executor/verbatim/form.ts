import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'
import { knownKeyOf } from '../../planning/response-key.ts'
import type { SelectedField, Selection } from '../selection.ts'

/** Compares the text from a place on. @returns where the value ends; -1 where the text is of another form */
export type Match = (text: string, at: number) => number

/**
 * The JSON that subgraphs write for a selection: its keys in their order, its types, no white space, and each value as
 * `JSON.stringify` writes it.
 */
export interface Form {
  /** Equal for equal forms. */
  name: string
  /** In their order; neighbouring expressions are one. */
  parts: readonly Part[]
}

/** A regular expression, or a match of what holds lists: they are longer than an expression may match. */
type Part = string | Match

/** @returns undefined where the types do not decide on the text: variables do, the type of an object or a custom scalar */
export function formOf({ type, selection }: Typed): Form | undefined {
  if (isNonNullType(type)) return formOfValue(type.ofType, selection)
  const form = formOfValue(type, selection)
  return form && { name: `${form.name}?`, parts: [orNull(form)] }
}

type Typed = Pick<SelectedField, 'type' | 'selection'>

function formOfValue(type: Typed['type'], selection: Selection): Form | undefined {
  if (isObjectType(type)) return objectForm(type, selection)
  if (!isListType(type)) return leafForm(type)
  const item = formOf({ type: type.ofType, selection })
  return item && { name: `[${item.name}]`, parts: [listOf(matchOf(item))] }
}

/**
 * The forms of an object's fields, in their order.
 * @returns undefined where they depend on variables, or one has no form
 */
export function fieldForms(
  type: GraphQLObjectType,
  selection: Selection,
): { key: string; field: SelectedField; form: Form }[] | undefined {
  const forms = []
  for (const [key, field] of selection.fieldsOf(type)) {
    const isTypeName = field.name === '__typename'
    // Fields that clients cannot see are in no schema of theirs.
    if (field.conditions || !(isTypeName || Object.hasOwn(type.getFields(), field.name))) return
    const form = isTypeName ? { name: `=${type.name}`, parts: [`"${type.name}"`] } : formOf(field)
    if (!form) return
    forms.push({ key, field, form })
  }
  return forms
}

function objectForm(type: GraphQLObjectType, selection: Selection): Form | undefined {
  const fields = fieldForms(type, selection)
  // What is gathered under a key of our own has another one in the response.
  if (!fields?.length || fields.some(({ key }) => knownKeyOf(key) !== key)) return undefined
  const name = `{${fields.map(({ key, form }) => `${key}:${form.name}`).join()}}`
  const parts = fields.flatMap(({ key, form }, index) => [
    `${index === 0 ? '\\{' : ','}"${key}":`,
    ...form.parts,
  ])
  return { name, parts: [...parts, '\\}'].reduce(joined, []) }
}

/** The engine's stack bounds regular expressions. */
const MAX_PATTERN = 10_000

/** Parts with one more behind them; neighbouring expressions become one. */
function joined(parts: readonly Part[], next: Part): readonly Part[] {
  const last = parts.at(-1)
  if (typeof last !== 'string' || typeof next !== 'string') return [...parts, next]
  if (last.length + next.length > MAX_PATTERN) return [...parts, next]
  return [...parts.slice(0, -1), last + next]
}

function orNull(form: Form): Part {
  const [only, ...others] = form.parts
  if (typeof only === 'string' && others.length === 0) return `(?:${only}|null)`
  const match = matchOf(form)
  return (text, at) => (text.startsWith('null', at) ? at + 'null'.length : match(text, at))
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((sign) => sign.charCodeAt(0))

const listOf =
  (match: Match): Match =>
  (text, start) => {
    if (text.charCodeAt(start) !== OPEN) return -1
    if (text.charCodeAt(start + 1) === CLOSE) return start + 2
    let at = start
    do at = match(text, at + 1)
    while (text.charCodeAt(at) === COMMA)
    return text.charCodeAt(at) === CLOSE ? at + 1 : -1
  }

/** Compiles a form. */
export function matchOf({ parts }: Form): Match {
  const matches = parts.map((part) => (typeof part === 'string' ? expressionOf(part) : part))
  const [only] = matches
  if (only && matches.length === 1) return only
  return (text, start) => {
    let at = start
    for (const match of matches) {
      at = match(text, at)
      if (at < 0) return -1
    }
    return at
  }
}

function expressionOf(pattern: string): Match {
  const expression = new RegExp(pattern, 'y')
  return (text, at) => {
    expression.lastIndex = at
    return expression.test(text) ? expression.lastIndex : -1
  }
}

function leafForm(type: GraphQLNamedType): Form | undefined {
  const names = isEnumType(type) && type.getValues().map(({ name }) => name)
  const pattern = names ? `"(?:${names.join('|')})"` : LEAVES.get(type.name)
  return pattern === undefined ? undefined : { name: type.name, parts: [pattern] }
}

const STRING = String.raw`"[^"\\\x00-\x1f]*(?:\\["\\bfnrt][^"\\\x00-\x1f]*)*"`
const INT = String.raw`(?:0|-?[1-9]\d{0,8})`
const FRACTION = String.raw`-?(?:0|[1-9]\d{0,8})\.\d{0,5}[1-9]`

/** What `JSON.stringify` writes for most values. */
const LEAVES: ReadonlyMap<string, string> = new Map([
  ['Int', INT],
  ['Float', `(?:${FRACTION}|${INT})`],
  ['String', STRING],
  ['Boolean', '(?:true|false)'],
  ['ID', `(?:${STRING}|${INT})`],
])
