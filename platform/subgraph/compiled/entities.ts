import { type GraphQLResolveInfo, type GraphQLSchema, getNamedType, isUnionType } from 'graphql'

/** Result of `_entities` for compiled operations: the representation of each entity says of which type it is. */
export class Entities {
  constructor(
    readonly items: readonly unknown[],
    readonly typeNames: readonly string[],
  ) {}
}

interface Representation {
  __typename: string
}

/** Extensions in which `buildSubgraphSchema` keeps the function `__resolveReference` of a type. */
interface ReferenceExtensions {
  apollo?: { subgraph?: { resolveReference?: ResolveReference } }
}

type ResolveReference = (
  representation: Representation,
  context: unknown,
  info: GraphQLResolveInfo,
) => unknown

/**
 * Resolves `_entities` for compiled operations, which alone run the schema from then on. The resolver of @apollo/subgraph
 * defines `__typename` on every entity, and waits for each, because graphql-js learns the type of an object from the
 * object. It still resolves interfaces, and refuses what is no entity.
 * @returns the same schema
 */
export function withEntities(schema: GraphQLSchema): GraphQLSchema {
  const field = schema.getQueryType()?.getFields()._entities
  const resolveAny = field?.resolve
  const union = field && getNamedType(field.type)
  if (!field || !resolveAny || !isUnionType(union)) return schema
  const resolvers = new Map<unknown, ResolveReference>()
  for (const type of union.getTypes()) {
    const { apollo }: ReferenceExtensions = type.extensions
    resolvers.set(
      type.name,
      apollo?.subgraph?.resolveReference ?? ((representation) => representation),
    )
  }

  field.resolve = (source, args, context, info) => {
    const representations: readonly Representation[] = args.representations
    if (!representations.every(({ __typename }) => resolvers.has(__typename)))
      return resolveAny(source, args, context, info)
    const found: unknown[] = []
    try {
      for (const representation of representations)
        found.push(resolvers.get(representation.__typename)?.(representation, context, info))
    } catch (error) {
      void Promise.allSettled(found) // none of them is waited for
      throw error
    }
    return new Entities(
      found,
      representations.map(({ __typename }) => __typename),
    )
  }
  return schema
}
