import { type ClassType, Directive, Field, Int, ObjectType } from 'type-graphql'
import type { Connection, Total } from './page.ts'

@Directive('@shareable')
@ObjectType({ description: 'Where a page lies in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether something follows this page.' })
  hasNextPage!: boolean

  @Field(() => Boolean, { description: 'Whether something precedes this page.' })
  hasPreviousPage!: boolean

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor of the first item; null on an empty page and on numbered pages of executions.',
  })
  startCursor!: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor of the last item; null on an empty page and on numbered pages of executions.',
  })
  endCursor!: string | null
}

/**
 * The GraphQL type of a page of a list.
 * @param name of the list's items, such as `Event`
 */
export function connectionType<Node extends object>(node: () => ClassType, name: string) {
  @ObjectType(`${name}Edge`, { description: 'An item and its place in the list.' })
  class Edge {
    @Field(() => String, { description: 'Names this place; give it as `after` or `before`.' })
    cursor!: string

    @Field(node, { description: 'The item.' })
    node!: Node
  }

  @ObjectType(`${name}Connection`, { description: 'A page of a list.' })
  class ConnectionOfNodes implements Connection<Node> {
    @Field(() => [node()], { description: 'The items of this page.' })
    nodes!: Node[]

    @Field(() => [Edge], { description: 'The items of this page with their places.' })
    edges!: Edge[]

    @Field(() => PageInfo, { description: 'Where this page lies.' })
    pageInfo!: PageInfo

    @Field(() => Int, {
      description:
        'Length of the whole list; counted only when selected. An estimate where counting takes long: see `isTotalCountEstimated`.',
    })
    async totalCount(): Promise<number> {
      return (await this.count()).value
    }

    @Field(() => Boolean, {
      description:
        'Whether `totalCount` is an estimate, as of lists of events and occurrences with many matches.',
    })
    async isTotalCountEstimated(): Promise<boolean> {
      return (await this.count()).isEstimated
    }

    count!: () => Promise<Total>
  }
  return ConnectionOfNodes
}
