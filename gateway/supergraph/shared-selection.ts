import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql'

/** Whether callers with the same permissions may share a field's answer. */
export type IsShared = (type: string, field: string) => boolean

/** Whether a valid document selects such fields and no others. */
export function selectsOnly(
  schema: GraphQLSchema,
  document: DocumentNode,
  isShared: IsShared,
): boolean {
  const types = new TypeInfo(schema)
  let isOnly = true
  const look = visitWithTypeInfo(types, {
    Field({ name }) {
      const type = types.getParentType()?.name
      isOnly &&= type !== undefined && (name.value === '__typename' || isShared(type, name.value))
    },
  })
  visit(document, look)
  return isOnly
}
