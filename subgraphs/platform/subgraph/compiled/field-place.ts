import type { FieldNode, GraphQLField, GraphQLObjectType, GraphQLResolveInfo } from 'graphql'
import type { Path } from 'graphql/jsutils/Path.js'
import type { Program, Run } from './run.ts'

/** A field as it is selected. */
export interface FieldPlace {
  type: GraphQLObjectType
  key: string
  nodes: readonly FieldNode[]
  definition: GraphQLField<unknown, unknown>
}

/** What resolvers are given of the field that a place of the response belongs to. */
export function infoAt(
  { schema, fragments, operation }: Program,
  { type, nodes, definition }: FieldPlace,
  { root, variables }: Run,
  at: Path | undefined,
): GraphQLResolveInfo {
  let path = at
  while (typeof path?.key === 'number') path = path.prev
  return {
    fieldName: definition.name,
    fieldNodes: nodes,
    returnType: definition.type,
    parentType: type,
    path: path as Path,
    schema,
    fragments,
    rootValue: root,
    operation,
    variableValues: variables,
  }
}
