import type { GraphQLResolveInfo } from 'graphql'
import { Args, FieldResolver, Info, Resolver, Root } from 'type-graphql'
import { selectsTotal } from '../../../../platform/paging/selects-total.ts'
import { type ArtifactServices, artifactResolver } from '../artifact.resolver.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'
import { Environment } from '../environment/environment.type.ts'
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

  @FieldResolver(() => TestCase, {
    nullable: true,
    description:
      'Runs first. The others are skipped unless it is COMPLETED, and read what it captured as `{{setup.name}}`.',
  })
  setup(@Root() { setup }: Suite, @Info() info: GraphQLResolveInfo) {
    return setup && this.referenced(TESTCASE, setup, info)
  }

  @FieldResolver(() => TestCase, {
    nullable: true,
    description: 'Runs last, whatever became of the others, but not after a cancel.',
  })
  teardown(@Root() { teardown }: Suite, @Info() info: GraphQLResolveInfo) {
    return teardown && this.referenced(TESTCASE, teardown, info)
  }

  @FieldResolver(() => [Environment], {
    description: 'Runs all of it once in each of these environments, instead of their own.',
  })
  environments(@Root() { environments }: Suite, @Info() info: GraphQLResolveInfo) {
    return environments.map((id) => this.referenced(ENVIRONMENT, id, info))
  }
}

@Resolver(() => TestCase)
export class SuitesOfTestCaseResolver {
  constructor(private readonly services: ArtifactServices) {}

  @FieldResolver(() => SuiteConnection, {
    description: 'The suites that contain the scenario.',
  })
  suites(
    @Root() { id }: TestCase,
    @Args(() => ListArgs) request: ListArgs,
    @Info() info: GraphQLResolveInfo,
  ) {
    return this.services.lists.page(SUITE, request, selectsTotal(info), { testCases: id })
  }
}
