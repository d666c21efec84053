import { type DocumentNode, type GraphQLSchema, TypeInfo, visit, visitWithTypeInfo } from 'graphql'
import type { Caller } from '../../../platform/access/caller.ts'

/** What callers with the same permissions may share. */
export interface Sharing {
  /** Whether they may share a field's answer. */
  isShared(type: string, field: string): boolean
  /** Who stands for all of them, without an identity. */
  callerOf(caller: Caller): Caller
}

/** Whether a valid document selects such fields and no others. */
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
