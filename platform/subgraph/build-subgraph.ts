import 'reflect-metadata'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { type IResolvers, printSchemaWithDirectives } from '@graphql-tools/utils'
import {
  type DocumentNode,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  lexicographicSortSchema,
  parse,
  print,
} from 'graphql'
import { buildSchema, createResolversMap, type NonEmptyArray, type PubSub } from 'type-graphql'
import type { Context } from '../access/caller.ts'
import { guard, requirePermission, ruledFields, ruleOfType } from '../access/guard.ts'
import { nodeResolvers, withNodes } from '../nodes/with-nodes.ts'
import { withEntities } from './compiled/entities.ts'
import { DATE_TIME } from './date-time.ts'

const LINK =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.7", import: ["@key", "@shareable", "@external", "@inaccessible"])'

/** Reads one entity by the key fields that the gateway sends. */
export type ResolveReference<Key> = (
  key: Key,
  context: Context,
  info: GraphQLResolveInfo,
) => unknown

/** Source of the items of a subscription field. */
export type StreamOf<Args> = (
  args: Args,
  context: Context,
) => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>

export interface SubgraphParts {
  /** Instances of TypeGraphQL resolver classes. */
  resolvers: readonly object[]
  /** Type name → `__resolveReference`, each with a key type of its own. */
  references?: Record<string, ResolveReference<never>>
  /** Subscription field → its stream; the decorator of the field says `subscribe: fromStream`. */
  streams?: Record<string, StreamOf<never>>
}

/** An executable federation 2 subgraph schema out of resolver instances; it knows no port and no gateway. */
export async function buildSubgraph({
  resolvers,
  references = {},
  streams = {},
}: SubgraphParts): Promise<GraphQLSchema> {
  const schema = await typeSystemOf(resolvers)
  const typeDefs = documentOf(schema)
  const resolverMap: IResolvers = createResolversMap(schema)
  for (const [name, fields] of Object.entries(nodeResolvers(typeDefs)))
    resolverMap[name] = { ...resolverMap[name], ...fields } as IResolvers[string]
  for (const [name, resolve] of Object.entries(references)) {
    const __resolveReference = guardedReference(name, resolve)
    resolverMap[name] = { ...resolverMap[name], __resolveReference } as IResolvers[string]
  }
  for (const [name, stream] of Object.entries(streams))
    Object.assign((resolverMap.Subscription as Record<string, object>)[name] ?? {}, {
      // graphql-js has coerced the arguments to the types of the field.
      subscribe: (_root: unknown, args: unknown, context: Context) =>
        stream(args as never, context),
    })
  return guard(
    withEntities(
      buildSubgraphSchema({
        typeDefs,
        resolvers: resolverMap as Parameters<typeof buildSubgraphSchema>[0] extends {
          resolvers?: infer R
        }
          ? R
          : never,
      }),
    ),
  )
}

/** An entity is as guarded as its type, whichever way a plan enters it. */
function guardedReference<Key>(
  type: string,
  resolve: ResolveReference<Key>,
): ResolveReference<Key> {
  const rule = ruleOfType(type)
  return (key, context, info) => {
    try {
      requirePermission(context.caller, rule)
    } catch (refusal) {
      return Promise.reject(refusal) // thrown, it would take all other entities of the fetch with it
    }
    return resolve(key, context, info)
  }
}

/**
 * SDL that the subgraph publishes for composition; only the classes of the resolvers matter.
 * @throws Error that says which rule of access is missing
 */
export async function subgraphSdl(resolvers: readonly object[]): Promise<string> {
  const schema = await typeSystemOf(resolvers)
  ruledFields(schema)
  return `${print(documentOf(lexicographicSortSchema(schema)))}\n`
}

const documentOf = (schema: GraphQLSchema): DocumentNode =>
  withNodes(parse(`${LINK}\n\n${printSchemaWithDirectives(schema)}\n`))

function typeSystemOf(resolvers: readonly object[]): Promise<GraphQLSchema> {
  // A field that is a property needs no resolver, which would be called with arguments, path and info for each object.
  for (const field of globalThis.TypeGraphQLMetadataStorage.fields)
    field.simple ??= field.name === field.schemaName
  const instances = new Map(resolvers.map((resolver) => [resolver.constructor, resolver]))
  return buildSchema({
    resolvers: [...instances.keys()] as unknown as NonEmptyArray<new () => object>,
    container: instances,
    scalarsMap: [{ type: Date, scalar: DATE_TIME }],
    validate: false,
    pubSub: NO_PUB_SUB,
    skipCheck: true,
  })
}

/** TypeGraphQL wants to know at declaration where items come from; we know it when the subgraph is built. */
export const fromStream = (): never => {
  throw new Error('This subscription field has no stream')
}

const NO_PUB_SUB: PubSub = { publish: fromStream, subscribe: fromStream }
