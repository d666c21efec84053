import { type DocumentNode, Kind, visit } from 'graphql'
import { gatheredKeyOf, REPRESENTATIONS } from './response-key.ts'

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
