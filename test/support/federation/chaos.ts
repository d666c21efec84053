import { createHash } from 'node:crypto'
import { defaultFieldResolver, GraphQLError, type GraphQLSchema, isObjectType } from 'graphql'
import type { Context } from '../../../platform/access/caller.ts'

/** A request whose id starts like this gets nulls and errors in place of some values. */
export const CHAOS = 'chaos-'

/**
 * Makes the resolvers of a subgraph fail at random, but always alike for the same request id, field and parent: both
 * executors must see the same, however often and in whatever order they ask.
 */
export function withChaos(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('_')) continue
    for (const field of Object.values(type.getFields())) {
      if (field.name.startsWith('_')) continue
      const resolve = field.resolve ?? defaultFieldResolver
      field.resolve = async (parent, args, context: Context, info) => {
        const { requestId } = context.caller
        if (!requestId.startsWith(CHAOS)) return resolve(parent, args, context, info)
        const at = `${requestId} ${type.name}.${field.name} ${identityOf(parent)} ${JSON.stringify(args)}`
        if (hits(`error ${at}`, 14))
          throw new GraphQLError(`${field.name} failed`, { extensions: { code: 'CHAOS' } })
        if (hits(`null ${at}`, 14)) return null
        const value: unknown = await resolve(parent, args, context, info)
        return Array.isArray(value)
          ? value
              .filter((_, index) => !hits(`gone ${index} ${at}`, 12))
              .map((item, index) => deferred(hits(`item ${index} ${at}`, 16) ? null : item))
          : value
      }
    }
  }
  return schema
}

/** A promise: graphql-js leaves the promises of a list's items alone when another item fails at once. */
const deferred = async (item: unknown): Promise<unknown> =>
  Array.isArray(item) ? item.map(deferred) : item

const hits = (text: string, oneIn: number): boolean =>
  createHash('md5').update(text).digest().readUInt32BE(0) % oneIn === 0

const identityOf = (parent: unknown): string => {
  const { id, upc, sku, place, name } = (parent ?? {}) as Record<string, unknown>
  return String(id ?? upc ?? sku ?? place ?? name)
}
