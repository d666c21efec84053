import { Arg, Args, Field, FieldResolver, InputType, Resolver, Root } from 'type-graphql'
import { connectionType } from '../../platform/paging/connection.type.ts'
import { PageArgs } from '../../platform/paging/page.args.ts'
import { type Connection, connect, readPage } from '../../platform/paging/page.ts'
import type { LogLevel } from '../runners/sandbox/child-message.ts'
import type { Execution } from './execution.entity.ts'
import { keepsDetails } from './execution.service.ts'
import { ExecutionResult } from './execution.type.ts'
import { isLogKey, type LogFilter, type LogLineRepository } from './log-line.repository.ts'
import { ExecutionLogLevel, ExecutionLogLine, type LogLine } from './log-line.type.ts'
import { isReported } from './reported-tests.ts'

const LogLineConnection = connectionType(() => ExecutionLogLine, 'ExecutionLogLine')

@InputType({ description: 'Which lines; what is absent does not matter.' })
class ExecutionLogFilter implements LogFilter {
  @Field(() => [ExecutionLogLevel], { nullable: true, description: 'Those of these levels.' })
  levels?: LogLevel[] | null

  @Field(() => [String], {
    nullable: true,
    description: 'Those of these sources, such as the id of a step.',
  })
  sources?: string[] | null

  @Field(() => String, {
    nullable: true,
    description: 'Path of a step: those written while it ran.',
  })
  step?: string | null

  @Field(() => String, { nullable: true, description: 'Those with this text, in any case.' })
  text?: string | null
}

@Resolver(() => ExecutionResult)
export class LogLineResolver {
  constructor(private readonly lines: LogLineRepository) {}

  @FieldResolver(() => LogLineConnection, {
    description: 'Its log line by line, in order. GONE once details of that age were deleted.',
  })
  async logLines(
    @Root() execution: Execution,
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => ExecutionLogFilter, {
      nullable: true,
      description: 'Which of them; all if absent.',
    })
    filter?: ExecutionLogFilter | null,
  ): Promise<Connection<LogLine>> {
    const which = readPage(page, isLogKey)
    if (isReported(keepsDetails(execution)))
      return connect<LogLine>(which, { rows: [], cursorOf: String, count: async () => 0 })
    return this.lines.page(execution, which, filter ?? {})
  }
}
