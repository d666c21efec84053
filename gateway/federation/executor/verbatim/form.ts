import {
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  isEnumType,
  isLeafType,
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
  /** A regular expression; absent where it holds a list. */
  pattern: string | undefined
  match: Match
}

/** @returns undefined where the types do not decide on the text: variables do, the type of an object or a custom scalar */
export const formOf = ({ type, selection }: SelectedField): Form | undefined =>
  formOfType(type, selection)

function formOfType(type: GraphQLOutputType, selection: Selection): Form | undefined {
  if (isNonNullType(type)) return nonNullForm(type.ofType, selection)
  const form = nonNullForm(type, selection)
  return form && orNull(form)
}

function nonNullForm(type: GraphQLOutputType, selection: Selection): Form | undefined {
  if (isListType(type)) return listForm(formOfType(type.ofType, selection))
  if (isObjectType(type)) return objectForm(type, selection)
  return isLeafType(type) ? leafForm(type) : undefined
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
    const form = field.name === '__typename' ? typeNameForm(type) : formOfField(type, field)
    if (!form || field.conditions) return undefined
    forms.push({ key, field, form })
  }
  return forms
}

/** Fields that clients cannot see are in no schema of theirs. */
const formOfField = (type: GraphQLObjectType, field: SelectedField): Form | undefined =>
  Object.hasOwn(type.getFields(), field.name) ? formOf(field) : undefined

function objectForm(type: GraphQLObjectType, selection: Selection): Form | undefined {
  const fields = fieldForms(type, selection)
  // What is gathered under a key of our own has another one in the response.
  if (!fields?.length || fields.some(({ key }) => knownKeyOf(key) !== key)) return undefined
  const name = `{${fields.map(({ key, form }) => `${key}:${form.name}`).join()}}`
  const parts: (string | Match)[] = []
  fields.forEach(({ key, form }, index) => {
    parts.push(`${index === 0 ? '\\{' : ','}"${key}":`, form.pattern ?? form.match)
  })
  parts.push('\\}')
  const pieces = joined(parts)
  const [only] = pieces
  if (pieces.length === 1 && typeof only === 'string') return patternForm(name, only)
  const matches = pieces.map((part) => (typeof part === 'string' ? matchOf(part) : part))
  return {
    name,
    pattern: undefined,
    match(text, start) {
      let at = start
      for (const match of matches) {
        at = match(text, at)
        if (at < 0) return -1
      }
      return at
    },
  }
}

/** The engine's stack bounds regular expressions. */
const MAX_PATTERN = 10_000

/** Neighbouring patterns as one. */
function joined(parts: readonly (string | Match)[]): (string | Match)[] {
  const result: (string | Match)[] = []
  for (const part of parts) {
    const last = result.at(-1)
    const isShort = `${part}${last}`.length <= MAX_PATTERN
    if (isShort && typeof part === 'string' && typeof last === 'string')
      result.splice(-1, 1, last + part)
    else result.push(part)
  }
  return result
}

const COMMA = ','.charCodeAt(0)
const OPEN = '['.charCodeAt(0)
const CLOSE = ']'.charCodeAt(0)

function listForm(item: Form | undefined): Form | undefined {
  if (!item) return undefined
  const { match } = item
  return {
    name: `[${item.name}]`,
    pattern: undefined,
    match(text, start) {
      if (text.charCodeAt(start) !== OPEN) return -1
      if (text.charCodeAt(start + 1) === CLOSE) return start + 2
      let at = start
      do {
        at = match(text, at + 1)
        if (at < 0) return -1
      } while (text.charCodeAt(at) === COMMA)
      return text.charCodeAt(at) === CLOSE ? at + 1 : -1
    },
  }
}

function orNull({ name, pattern, match }: Form): Form {
  if (pattern !== undefined) return patternForm(`${name}?`, `(?:${pattern}|null)`)
  return {
    name: `${name}?`,
    pattern,
    match: (text, at) => (text.startsWith('null', at) ? at + 'null'.length : match(text, at)),
  }
}

const patternForm = (name: string, pattern: string): Form => ({
  name,
  pattern,
  match: matchOf(pattern),
})

function matchOf(pattern: string): Match {
  const expression = new RegExp(pattern, 'y')
  return (text, at) => {
    expression.lastIndex = at
    return expression.test(text) ? expression.lastIndex : -1
  }
}

const typeNameForm = ({ name }: GraphQLObjectType): Form => patternForm(`=${name}`, `"${name}"`)

function leafForm(type: GraphQLLeafType): Form | undefined {
  const names = isEnumType(type) ? type.getValues().map(({ name }) => name) : undefined
  const pattern = names
    ? `"(?:${names.join('|')})"`
    : Object.hasOwn(LEAVES, type.name) && LEAVES[type.name]
  return pattern ? patternForm(type.name, pattern) : undefined
}

const STRING = String.raw`"[^"\\\x00-\x1f]*(?:\\["\\bfnrt][^"\\\x00-\x1f]*)*"`
const INT = String.raw`(?:0|-?[1-9]\d{0,8})`
const FRACTION = String.raw`-?(?:0|[1-9]\d{0,8})\.\d{0,5}[1-9]`

/** What `JSON.stringify` writes for most values. */
const LEAVES: Readonly<Record<string, string>> = {
  Int: INT,
  Float: `(?:${FRACTION}|${INT})`,
  String: STRING,
  Boolean: '(?:true|false)',
  ID: `(?:${STRING}|${INT})`,
}
