import { Arg, Args, Field, FieldResolver, ID, InputType, Query, Resolver, Root } from 'type-graphql'
import { connectionType } from '../../shared/paging/connection.type.ts'
import { PageArgs } from '../../shared/paging/page.args.ts'
import { type Connection, readPage } from '../../shared/paging/page.ts'
import { Suite } from '../artifacts/suite/suite.type.ts'
import { TestCase } from '../artifacts/testcase/testcase.type.ts'
import type { Execution, ExecutionStateName, ExecutionTypeName } from './execution.ts'
import { ExecutionResult, ExecutionState, ExecutionType } from './execution.type.ts'
import { type ExecutionListRepository, isExecutionKey } from './execution-list.repository.ts'

const ExecutionResultConnection = connectionType(() => ExecutionResult, 'ExecutionResult')

@InputType({ description: 'Selects executions. An absent condition matches all.' })
export class ExecutionResultFilter {
  @Field(() => ID, { nullable: true, description: 'Those of this scenario or suite.' })
  contextId?: string | null

  @Field(() => ExecutionType, { nullable: true, description: 'Those of this type.' })
  type?: ExecutionTypeName | null

  @Field(() => [ExecutionState], { nullable: true, description: 'Those in one of these states.' })
  states?: ExecutionStateName[] | null
}

@Resolver()
export class ExecutionListResolver {
  constructor(private readonly lists: ExecutionListRepository) {}

  @Query(() => ExecutionResultConnection, {
    description: 'Executions that match, newest first; scenarios of suites are among them.',
  })
  executionResults(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => ExecutionResultFilter, {
      nullable: true,
      description: 'Which of them; all if absent.',
    })
    filter?: ExecutionResultFilter | null,
  ): Promise<Connection<Execution>> {
    return this.lists.page(readPage(page, isExecutionKey), filter ?? {})
  }
}

/** The history of what an artifact of `Type` has executed. */
function historyOf(Type: typeof TestCase | typeof Suite, description: string) {
  @Resolver(() => Type)
  class HistoryResolver {
    constructor(private readonly lists: ExecutionListRepository) {}

    @FieldResolver(() => ExecutionResultConnection, { description })
    results(
      @Root() { id: contextId }: { id: string },
      @Args(() => PageArgs) page: PageArgs,
    ): Promise<Connection<Execution>> {
      return this.lists.page(readPage(page, isExecutionKey), { contextId })
    }
  }
  return HistoryResolver
}

export const ResultsOfTestCaseResolver = historyOf(
  TestCase,
  'Its executions, newest first, those within suites included.',
)
export const ResultsOfSuiteResolver = historyOf(Suite, 'Its executions, newest first.')
