import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import type { Caller } from '../../../platform/access/caller.ts'

/** Rules of sharing between callers with the same permissions. */
export interface Sharing {
  /** True if they may share a field's value. */
  isShared(type: string, field: string): boolean
  /** Caller that stands for all of them, without an identity. */
  callerOf(caller: Caller): Caller
}

/** True if a valid document selects such fields and no others. */
export function selectsOnly(
  schema: GraphQLSchema,
  document: DocumentNode,
  { isShared }: Sharing,
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
