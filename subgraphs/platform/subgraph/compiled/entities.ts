import { type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql'
import type { ResolveReference } from '../build-subgraph.ts'

/** What `_entities` returns: the representation of each entity says of which type it is. */
export class Entities {
  constructor(
    readonly items: readonly unknown[],
    readonly typeNames: readonly string[],
  ) {}
}

interface Representation {
  __typename: string
}

/**
 * Resolves `_entities` for compiled operations. The resolver of @apollo/subgraph defines `__typename` on every entity, and
 * waits for each, because graphql-js learns the type of an object from the object. It still resolves interfaces.
 * @returns the same schema
 */
export function withEntities(schema: GraphQLSchema): GraphQLSchema {
  const field = schema.getQueryType()?.getFields()._entities
  const resolveAny = field?.resolve
  if (!field || !resolveAny) return schema
  field.resolve = (source, args, context, info) => {
    const representations: readonly Representation[] = args.representations
    const types = representations.map(({ __typename }) => schema.getType(__typename))
    if (!types.every(isObjectType)) return resolveAny(source, args, context, info)
    return new Entities(
      representations.map((each, index) => entityOf(types[index], each, context, info)),
      representations.map(({ __typename }) => __typename),
    )
  }
  return schema
}

/** Where `buildSubgraphSchema` keeps the function `__resolveReference` of a type. */
interface ReferenceExtensions {
  apollo?: { subgraph?: { resolveReference?: ResolveReference<Representation> } }
}

function entityOf(
  type: { extensions: ReferenceExtensions } | undefined,
  representation: Representation,
  context: Parameters<ResolveReference<Representation>>[1],
  info: GraphQLResolveInfo,
): unknown {
  const resolve = type?.extensions.apollo?.subgraph?.resolveReference
  return resolve ? resolve(representation, context, info) : representation
}
