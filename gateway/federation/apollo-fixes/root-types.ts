import {
  type GraphQLSchema,
  OperationTypeNode,
  parse,
  print,
  stripIgnoredCharacters,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql'
import { mapFetches } from '../planning/map-fetches.ts'
import type { ApolloFix } from './fix.ts'

/**
 * Defect: a subgraph names its root types as it likes, a supergraph does not say how, and the planner asks all of them by
 * the names of the supergraph.
 *
 *     a: schema { query: RootQ } type RootQ { x: Int }
 *     query ($c: Boolean!) { ... on Query @include(if: $c) { x } } → Unknown type "Query"
 *
 * Here a fragment on the root type that it stands in has no type condition. Text to file: "Fetches name root types that
 * the subgraph calls otherwise". Can go when fetches do not name them.
 */
export const rootTypes: ApolloFix = {
  correct: () => ({
    corrected(plan, planned) {
      const names = Object.values(OperationTypeNode).map(
        (kind) => planned.schema().getRootType(kind)?.name,
      )
      const isNamed = (operation: string) =>
        names.some((name) => name && operation.includes(`on ${name}`))
      return mapFetches(plan, (fetch) =>
        isNamed(fetch.operation)
          ? { ...fetch, operation: withoutRootTypes(fetch.operation, planned.schema(), names) }
          : fetch,
      )
    },
  }),
}

function withoutRootTypes(
  operation: string,
  schema: GraphQLSchema,
  names: readonly (string | undefined)[],
): string {
  const types = new TypeInfo(schema)
  const document = visit(
    parse(operation, { noLocation: true }),
    visitWithTypeInfo(types, {
      InlineFragment: {
        leave({ typeCondition, ...fragment }) {
          const name = typeCondition?.name.value
          const isRoot = name === types.getParentType()?.name && names.includes(name)
          return isRoot ? fragment : undefined
        },
      },
    }),
  )
  return stripIgnoredCharacters(print(document))
}
