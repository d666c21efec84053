import type { GraphQLResolveInfo } from 'graphql'
import { Args, FieldResolver, Info, Resolver, Root } from 'type-graphql'
import { type ArtifactServices, artifactResolver } from '../artifact.resolver.ts'
import { ListArgs } from '../list/list.args.ts'
import { TESTCASE } from '../testcase/testcase.kind.ts'
import { TestCase } from '../testcase/testcase.type.ts'
import { SUITE } from './suite.kind.ts'
import { Suite, SuiteConnection, SuiteInput } from './suite.type.ts'

@Resolver(() => Suite)
export class SuiteResolver extends artifactResolver(SUITE, {
  artifact: Suite,
  connection: SuiteConnection,
  attributes: SuiteInput,
}) {
  @FieldResolver(() => [TestCase], { description: 'Its scenarios, in the order to run them.' })
  testCases(@Root() { testCases }: Suite, @Info() info: GraphQLResolveInfo) {
    return testCases.map((id) => this.referenced(TESTCASE, id, info))
  }
}

@Resolver(() => TestCase)
export class SuitesOfTestCaseResolver {
  constructor(private readonly services: ArtifactServices) {}

  @FieldResolver(() => SuiteConnection, {
    description: 'The suites that contain the scenario.',
  })
  suites(@Root() { id }: TestCase, @Args(() => ListArgs) request: ListArgs) {
    return this.services.lists.page(SUITE, request, { testCases: id })
  }
}
