import { type DocumentNode, Kind, type SelectionNode, visit } from 'graphql'
import { gatheredKeyOf, REPRESENTATIONS } from './response-key.ts'

export const TYPE_NAME = {
  kind: Kind.FIELD,
  name: { kind: Kind.NAME, value: '__typename' },
} as const

/** The planner takes a condition that all parts of an object have for one of the object itself, which is there all the same. */
export const withUnconditionalParts = (document: DocumentNode): DocumentNode =>
  visit(document, {
    SelectionSet: {
      leave(node, _key, parent) {
        const isRoot = parent && 'kind' in parent && parent.kind === Kind.OPERATION_DEFINITION
        if (isRoot || !node.selections.every(isConditional)) return undefined
        return { ...node, selections: [TYPE_NAME, ...node.selections] }
      },
    },
  })

const isConditional = ({ directives = [] }: SelectionNode): boolean =>
  directives.some(({ name }) => name.value === 'include' || name.value === 'skip')

/**
 * A client's document as the planner gets it: each field at the key where its value is gathered, so that neither an
 * alias nor arguments of the client can take the place of a key or of a required field.
 */
export const withGatheredKeys = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Field(node) {
      const key = gatheredKeyOf(node)
      if (key === (node.alias ?? node.name).value) return undefined
      return {
        ...node,
        alias: key === node.name.value ? undefined : { kind: Kind.NAME, value: key },
      }
    },
    Variable: (node) =>
      node.name.value === REPRESENTATIONS.plans
        ? { ...node, name: { kind: Kind.NAME, value: REPRESENTATIONS.clients } }
        : undefined,
  })
