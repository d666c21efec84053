import { type ClassType, Field, Int, ObjectType } from 'type-graphql'
import { PageInfo } from '../../../../platform/paging/connection.type.ts'
import type { Connection } from '../../../../platform/paging/page.ts'
import type { Artifact } from '../artifact.kind.ts'
import type { ArtifactPage } from './artifact-list.service.ts'

/**
 * The GraphQL type of a page of artifacts; nothing is read that is not selected.
 * @param name of the type of the artifacts, such as `Suite`
 */
export function connectionType(node: () => ClassType, name: string): ClassType<ArtifactPage> {
  @ObjectType(`${name}Edge`, { description: 'An item and its place in the list.' })
  class Edge {
    @Field(() => String, { description: 'Names this place; give it as `after` or `before`.' })
    cursor!: string

    @Field(node, { description: 'The item.' })
    node!: object
  }

  @ObjectType(`${name}Connection`, { description: 'A page of a list.' })
  class ConnectionOfArtifacts implements ArtifactPage {
    items!: () => Promise<Connection<Artifact>>
    count!: () => Promise<number>

    @Field(() => [node()], { description: 'The items of this page.' })
    async nodes(): Promise<object[]> {
      return (await this.items()).nodes
    }

    @Field(() => [Edge], { description: 'The items of this page with their places.' })
    async edges(): Promise<Edge[]> {
      return (await this.items()).edges
    }

    @Field(() => PageInfo, { description: 'Where this page lies.' })
    async pageInfo(): Promise<PageInfo> {
      return (await this.items()).pageInfo
    }

    @Field(() => Int, { description: 'Length of the whole list; counted only when selected.' })
    totalCount(): Promise<number> {
      return this.count()
    }
  }
  return ConnectionOfArtifacts
}
