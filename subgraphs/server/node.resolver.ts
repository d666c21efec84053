import {
  Arg,
  Ctx,
  Directive,
  Field,
  ID,
  InterfaceType,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql'
import { AppError } from '../../formats/errors.ts'
import type { Caller, Context } from '../../platform/access/caller.ts'
import { type NodeKey, nodeIdOf, readNodeId } from '../../platform/nodes/node-id.ts'
import { isNodeType, OWNERS } from './owners.ts'

@InterfaceType({
  description: 'An object that `node` finds by its nodeId.',
  resolveType: ({ __typename }: { __typename: string }) => __typename,
})
export abstract class Node {
  @Field(() => ID, { description: 'Unique in the whole graph; opaque.' })
  nodeId!: string
}

for (const name of Object.keys(OWNERS)) {
  @Directive('@key(fields: "id")')
  @ObjectType(name, { implements: Node })
  class Known extends Node {
    @Field(() => ID)
    id!: string

    @Directive('@shareable')
    @Field(() => ID)
    declare nodeId: string
  }
  void Known // TypeGraphQL finds it by its interface
}

/**
 * Asks a subgraph which of its objects there are for a caller.
 * @returns whether, in the order of the keys; an object that the caller may not see is none
 */
export type FindObjects = (
  subgraph: string,
  keys: readonly NodeKey[],
  caller: Caller,
) => Promise<boolean[]>

const MAX_NODES = 1_000

/** Objects of all subgraphs by their nodeId, as Relay reads them again. */
@Resolver()
export class NodeResolver {
  constructor(private readonly find: FindObjects) {}

  @Query(() => Node, {
    nullable: true,
    description: 'The object with this nodeId; null where there is none for the caller.',
  })
  async node(
    @Arg('id', () => ID, { description: 'Its nodeId.' }) id: string,
    @Ctx() { caller }: Context,
  ): Promise<object | null> {
    const [found = null] = await this.#nodes([id], caller)
    return found
  }

  @Query(() => [Node], {
    nullable: 'items',
    description: 'The objects with these nodeIds, in their order; null for each that is none.',
  })
  nodes(
    @Arg('ids', () => [ID], { description: `Their nodeIds, at most ${MAX_NODES}.` })
    ids: string[],
    @Ctx() { caller }: Context,
  ): Promise<(object | null)[]> {
    if (ids.length > MAX_NODES)
      throw new AppError('BAD_USER_INPUT', `ids: expected at most ${MAX_NODES}, not ${ids.length}`)
    return this.#nodes(ids, caller)
  }

  async #nodes(nodeIds: readonly string[], caller: Caller): Promise<(object | null)[]> {
    const keys = nodeIds.map(readNodeId)
    const there = new Set<string>()
    for (const owner of new Set(Object.values(OWNERS))) {
      const asked = keys.filter((key) => key !== null && ownerOf(key) === owner) as NodeKey[] // null is no key
      if (asked.length === 0) continue
      const found = await this.find(owner, asked, caller)
      for (const [index, key] of asked.entries()) if (found[index]) there.add(nodeIdOf(key))
    }
    return keys.map((key, index) => {
      const nodeId = nodeIds[index] ?? ''
      return key && there.has(nodeId) ? { __typename: key.type, id: key.id, nodeId } : null
    })
  }
}

const ownerOf = ({ type }: NodeKey): string | null => (isNodeType(type) ? OWNERS[type] : null)
