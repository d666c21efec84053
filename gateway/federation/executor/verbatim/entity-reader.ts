import {
  type GraphQLNamedType,
  type GraphQLSchema,
  getNullableType,
  isLeafType,
  isObjectType,
  Kind,
  parse,
} from 'graphql'
import { getOwn, type Json, setOwn } from '../own.ts'
import { Selection } from '../selection.ts'
import { fieldForms, type Match, matchOf } from './form.ts'
import { Verbatim } from './verbatim.ts'

/**
 * Reads the list of entities that begins at a place of an answer.
 * @param found receives them @returns where the list ends; -1 where the text is of another form
 */
export type EntityReader = (
  text: string,
  at: number,
  representations: readonly Json[],
  found: Json[],
) => number

interface Field {
  key: string
  /** The text in front of its value. */
  before: string
  match: Match
  /** The name of its form; null for a leaf, whose value is read. */
  form: string | null
}

/**
 * Compiles how to read entities whose lists and objects only the client needs.
 * @param selection what is selected of the entities, in braces
 */
export function compileEntityReader(schema: GraphQLSchema, selection: string): EntityReader {
  const [operation] = parse(selection).definitions
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return () => -1
  const { selections: nodes } = operation.selectionSet
  const selected = new Selection(schema, {}, [{ nodes, conditions: [] }])
  const byType = new Map<GraphQLNamedType, readonly Field[]>()
  const fieldsOf = (name: unknown): readonly Field[] => {
    const type = schema.getType(String(name))
    if (!isObjectType(type)) return []
    const known = byType.get(type)
    if (known) return known
    const fields = (fieldForms(type, selected) ?? []).map(
      ({ key, field, form }, index): Field => ({
        key,
        before: `${index === 0 ? '{' : ','}"${key}":`,
        match: matchOf(form),
        form: isLeafType(getNullableType(field.type)) ? null : form.name,
      }),
    )
    // Leaves alone are read faster all at once.
    const used = fields.some(({ form }) => form !== null) ? fields : []
    byType.set(type, used)
    return used
  }
  return (text, start, representations, found) => {
    let at = start
    for (const [index, representation] of representations.entries()) {
      const fields = fieldsOf(getOwn(representation, '__typename'))
      if (fields.length === 0 || text[at] !== (index === 0 ? '[' : ',')) return -1
      at++
      const entity: Json = {}
      for (const { key, before, match, form } of fields) {
        if (!text.startsWith(before, at)) return -1
        const begin = at + before.length
        at = match(text, begin)
        if (at < 0) return -1
        const value = text.slice(begin, at)
        setOwn(entity, key, form === null ? JSON.parse(value) : new Verbatim(value, form))
      }
      if (text[at] !== '}') return -1
      at++
      found.push(entity)
    }
    return text[at] === ']' ? at + 1 : -1
  }
}
