import type { GraphQLResolveInfo } from 'graphql'
import { FieldResolver, Info, Resolver, Root } from 'type-graphql'
import { artifactResolver } from '../artifact.resolver.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'
import { Environment } from '../environment/environment.type.ts'
import { COMPONENT } from './component.kind.ts'
import { Component, ComponentConnection, ComponentInput } from './component.type.ts'

@Resolver(() => Component)
export class ComponentResolver extends artifactResolver(COMPONENT, {
  artifact: Component,
  connection: ComponentConnection,
  attributes: ComponentInput,
}) {
  @FieldResolver(() => Environment, {
    nullable: true,
    description: 'The environment that it is deployed in.',
  })
  environment(@Root() { environment }: Component, @Info() info: GraphQLResolveInfo) {
    return environment && this.referenced(ENVIRONMENT, environment, info)
  }
}
