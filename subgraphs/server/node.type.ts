import { Directive, Field, ID, InterfaceType, ObjectType } from 'type-graphql'
import { OWNERS } from './owners.ts'

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
