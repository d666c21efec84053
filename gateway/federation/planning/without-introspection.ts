import { type DocumentNode, type FieldNode, Kind, visit } from 'graphql'

/** What the planner gets to see of `__schema` and `__type`. */
const SEEN: FieldNode['selectionSet'] = {
  kind: Kind.SELECTION_SET,
  selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } }],
}

/**
 * An operation without what it selects of the schema: introspection.ts answers that, by the schema's own version of
 * GraphQL, and the planner does not know all of its fields.
 */
export const withoutIntrospection = (document: DocumentNode): DocumentNode =>
  visit(document, {
    Field: (field) =>
      field.name.value === '__schema' || field.name.value === '__type'
        ? { ...field, selectionSet: SEEN }
        : undefined,
    FragmentDefinition: ({ typeCondition }) =>
      typeCondition.name.value.startsWith('__') ? null : undefined,
  })
