import type { GraphQLResolveInfo } from 'graphql'
import { Args, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql'
import { connectionType } from '../../../../platform/paging/connection.type.ts'
import { type Connection, readPage } from '../../../../platform/paging/page.ts'
import { counted, selectsTotal } from '../../../../platform/paging/selects-total.ts'
import { Suite } from '../../artifacts/suite/suite.type.ts'
import { TestCase } from '../../artifacts/testcase/testcase.type.ts'
import type { Execution } from '../execution.entity.ts'
import { ExecutionResult } from '../execution.type.ts'
import type { StateChanges } from '../watch/state-changes.ts'
import { ExecutionListArgs, numberedPageOf } from './list.args.ts'
import { type ExecutionListRepository, isExecutionKey } from './list.repository.ts'
import { orderOf } from './order.ts'

const ExecutionResultConnection = connectionType(() => ExecutionResult, 'ExecutionResult')

function pageOf(
  lists: ExecutionListRepository,
  args: ExecutionListArgs,
  info: GraphQLResolveInfo,
  contextId?: string,
): Promise<Connection<Execution>> {
  const { filter, sort, offset: _, ...page } = args
  const which = { ...filter, ...(contextId !== undefined && { contextId }) }
  const numbered = numberedPageOf(args)
  return numbered
    ? lists.numberedPage({ ...numbered, isCounted: selectsTotal(info) }, which, orderOf(sort ?? []))
    : lists.page(readPage(counted(page, info), isExecutionKey), which)
}

@Resolver()
export class ExecutionListResolver {
  constructor(
    private readonly lists: ExecutionListRepository,
    private readonly changes: Pick<StateChanges, 'cursor'>,
  ) {}

  @Query(() => String, {
    description:
      'The `after` of `executionStateChanged` for what changes from now on. Read it before a list: the list together with the stream lacks nothing.',
  })
  executionStateCursor(): Promise<string> {
    return this.changes.cursor()
  }

  @Query(() => ExecutionResultConnection, {
    description: 'Executions that match, newest first; scenarios of suites are among them.',
  })
  executionResults(
    @Args(() => ExecutionListArgs) args: ExecutionListArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<Execution>> {
    return pageOf(this.lists, args, info)
  }
}

/** The history of what an artifact of `Type` has executed. */
function historyOf(Type: typeof TestCase | typeof Suite, description: string) {
  @Resolver(() => Type)
  class HistoryResolver {
    constructor(private readonly lists: ExecutionListRepository) {}

    @FieldResolver(() => ExecutionResultConnection, { description })
    results(
      @Root() { id }: { id: string },
      @Args(() => ExecutionListArgs) args: ExecutionListArgs,
      @Info() info: GraphQLResolveInfo,
    ): Promise<Connection<Execution>> {
      return pageOf(this.lists, args, info, id)
    }
  }
  return HistoryResolver
}

export const ResultsOfTestCaseResolver = historyOf(
  TestCase,
  'Its executions, newest first, those within suites included.',
)
export const ResultsOfSuiteResolver = historyOf(Suite, 'Its executions, newest first.')
