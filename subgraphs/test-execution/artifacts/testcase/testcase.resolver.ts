import { Arg, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import type { ArtifactService } from '../artifact.service.ts'
import { COMPONENT } from '../component/component.kind.ts'
import { Component } from '../component/component.type.ts'
import { TESTCASE } from './testcase.kind.ts'
import { CreateTestCaseInput, TestCase, UpdateTestCaseInput } from './testcase.type.ts'

@Resolver(() => TestCase)
export class TestCaseResolver {
  constructor(private readonly artifacts: ArtifactService) {}

  @Query(() => TestCase, { nullable: true, description: 'The scenario with this id, or null.' })
  testCase(@Arg('id', () => ID) id: string) {
    return this.artifacts.find(TESTCASE, id)
  }

  @Mutation(() => TestCase, {
    description: 'Stores a scenario. CONFLICT when its id or name is taken.',
  })
  createTestCase(@Arg('input', () => CreateTestCaseInput) input: CreateTestCaseInput) {
    return this.artifacts.create(TESTCASE, { ...input })
  }

  @Mutation(() => TestCase, {
    description: 'Replaces a scenario. PRECONDITION_FAILED when it was changed meanwhile.',
  })
  updateTestCase(
    @Arg('input', () => UpdateTestCaseInput) { revision, ...input }: UpdateTestCaseInput,
  ) {
    return this.artifacts.replace(TESTCASE, input.id, { ...input }, revision)
  }

  @Mutation(() => ID, { description: 'Removes a scenario; results of its executions stay.' })
  async deleteTestCase(@Arg('id', () => ID) id: string): Promise<string> {
    await this.artifacts.delete(TESTCASE, id)
    return id
  }

  @FieldResolver(() => Component, { description: 'What the scenario tests.' })
  componentUnderTest(@Root() { componentUnderTest }: TestCase) {
    return this.artifacts.get(COMPONENT, componentUnderTest)
  }
}
