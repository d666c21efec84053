import {
  type DocumentNode,
  executeSync,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql'
import { type Json, setOwn } from '../executor/own.ts'
import type { SelectedField } from '../executor/selection.ts'

/** Compiles what answers `__schema` and `__type`: the gateway itself. @returns undefined where neither is selected */
export function compileIntrospection(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  fields: ReadonlyMap<string, SelectedField>,
): ((data: Json, variables: Json) => void) | undefined {
  const meta = [...fields].filter(([, { name }]) => name === '__schema' || name === '__type')
  if (meta.length === 0) return undefined
  const selections = meta.flatMap(([, { nodes }]) => nodes)
  const introspection: DocumentNode = {
    ...document,
    definitions: [
      { ...operation, selectionSet: { kind: Kind.SELECTION_SET, selections } },
      ...document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION),
    ],
  }
  return (data, variableValues) => {
    const result = executeSync({ schema, document: introspection, variableValues })
    for (const [key] of meta) setOwn(data, key, result.data?.[key])
  }
}
