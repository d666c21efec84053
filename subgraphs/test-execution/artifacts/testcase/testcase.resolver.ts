import type { GraphQLResolveInfo } from 'graphql'
import { Args, FieldResolver, Info, Resolver, Root } from 'type-graphql'
import { selectsTotal } from '../../../../platform/paging/selects-total.ts'
import { type ArtifactServices, artifactResolver } from '../artifact.resolver.ts'
import { COMPONENT } from '../component/component.kind.ts'
import { Component } from '../component/component.type.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'
import { Environment } from '../environment/environment.type.ts'
import { ListArgs } from '../list/list.args.ts'
import { TESTCASE } from './testcase.kind.ts'
import { TestCase, TestCaseConnection, TestCaseInput } from './testcase.type.ts'

@Resolver(() => TestCase)
export class TestCaseResolver extends artifactResolver(TESTCASE, {
  artifact: TestCase,
  connection: TestCaseConnection,
  attributes: TestCaseInput,
}) {
  @FieldResolver(() => Component, {
    nullable: true,
    description: 'What the scenario tests; null where it calls no component of its own.',
  })
  componentUnderTest(@Root() { componentUnderTest }: TestCase, @Info() info: GraphQLResolveInfo) {
    return componentUnderTest && this.referenced(COMPONENT, componentUnderTest, info)
  }

  @FieldResolver(() => Environment, {
    nullable: true,
    description: 'The environment that the scenario runs in.',
  })
  environment(@Root() { environment }: TestCase, @Info() info: GraphQLResolveInfo) {
    return environment && this.referenced(ENVIRONMENT, environment, info)
  }

  @FieldResolver(() => [TestCase], {
    description:
      'Scenarios that must be COMPLETED first where a suite holds them, too; else it is skipped.',
  })
  needs(@Root() { needs }: TestCase, @Info() info: GraphQLResolveInfo) {
    return needs.map((id) => this.referenced(TESTCASE, id, info))
  }
}

@Resolver(() => Component)
export class TestCasesOfComponentResolver {
  constructor(private readonly services: ArtifactServices) {}

  @FieldResolver(() => TestCaseConnection, {
    description: 'The scenarios that test the component.',
  })
  testCases(
    @Root() { id }: Component,
    @Args(() => ListArgs) request: ListArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.lists.page(TESTCASE, request, selectsTotal(info), {
      componentUnderTest: id,
    })
  }
}
