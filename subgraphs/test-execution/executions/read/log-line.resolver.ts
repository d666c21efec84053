import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, FieldResolver, Info, Resolver, Root } from 'type-graphql'
import { connectionType } from '../../../../platform/paging/connection.type.ts'
import { PageArgs } from '../../../../platform/paging/page.args.ts'
import { type Connection, connect, readPage } from '../../../../platform/paging/page.ts'
import { counted } from '../../../../platform/paging/selects-total.ts'
import type { Execution } from '../execution.entity.ts'
import { keepsDetails } from '../execution.service.ts'
import { ExecutionResult } from '../execution.type.ts'
import { isLogKey, type LogLineRepository } from './log-line.repository.ts'
import { ExecutionLogFilter, ExecutionLogLine, type LogLine } from './log-line.type.ts'
import { isReported } from './reported-tests.ts'

const LogLineConnection = connectionType(() => ExecutionLogLine, 'ExecutionLogLine')

@Resolver(() => ExecutionResult)
export class LogLineResolver {
  constructor(private readonly lines: LogLineRepository) {}

  @FieldResolver(() => LogLineConnection, {
    description: 'Its log line by line, in order. GONE once details of that age were deleted.',
  })
  async logLines(
    @Root() execution: Execution,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
    @Arg('filter', () => ExecutionLogFilter, {
      nullable: true,
      description: 'Which of them; all if absent.',
    })
    filter?: ExecutionLogFilter | null,
  ): Promise<Connection<LogLine>> {
    const which = readPage(counted(page, info), isLogKey)
    if (isReported(keepsDetails(execution)))
      return connect<LogLine>(which, { rows: [], cursorOf: String, count: async () => 0 })
    return this.lines.page(execution, which, filter ?? {})
  }
}
