import { Arg, ID, Mutation, Query, Resolver } from 'type-graphql'
import type { ArtifactService } from '../artifact.service.ts'
import { COMPONENT } from './component.kind.ts'
import { Component, CreateComponentInput, UpdateComponentInput } from './component.type.ts'

@Resolver(() => Component)
export class ComponentResolver {
  constructor(private readonly artifacts: ArtifactService) {}

  @Query(() => Component, { nullable: true, description: 'The component with this id, or null.' })
  component(@Arg('id', () => ID) id: string) {
    return this.artifacts.find(COMPONENT, id)
  }

  @Mutation(() => Component, {
    description: 'Stores a component. CONFLICT when its id or name is taken.',
  })
  createComponent(@Arg('input', () => CreateComponentInput) input: CreateComponentInput) {
    return this.artifacts.create(COMPONENT, { ...input })
  }

  @Mutation(() => Component, {
    description: 'Replaces a component. PRECONDITION_FAILED when it was changed meanwhile.',
  })
  updateComponent(
    @Arg('input', () => UpdateComponentInput) { revision, ...input }: UpdateComponentInput,
  ) {
    return this.artifacts.replace(COMPONENT, input.id, { ...input }, revision)
  }

  @Mutation(() => ID, { description: 'Removes a component. CONFLICT while a scenario names it.' })
  async deleteComponent(@Arg('id', () => ID) id: string): Promise<string> {
    await this.artifacts.delete(COMPONENT, id)
    return id
  }
}
