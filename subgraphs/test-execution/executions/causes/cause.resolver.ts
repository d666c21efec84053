import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Args,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql'
import type { Context } from '../../../../platform/access/caller.ts'
import { PageArgs } from '../../../../platform/paging/page.args.ts'
import { type Connection, readPage } from '../../../../platform/paging/page.ts'
import { counted } from '../../../../platform/paging/selects-total.ts'
import { TestCase } from '../../artifacts/testcase/testcase.type.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionService } from '../execution.service.ts'
import { ExecutionResult } from '../execution.type.ts'
import { ExecutionResultFilter } from '../list/list.args.ts'
import { isReported } from '../read/reported-tests.ts'
import { type CauseRepository, isCauseKey } from './cause.repository.ts'
import type { CauseService } from './cause.service.ts'
import {
  FailureCause,
  FailureCauseConnection,
  FailureCauseFilter,
  SetFailureVerdictInput,
  SetQuarantineInput,
} from './cause.type.ts'
import type { FailingSinceRepository } from './failing-since.repository.ts'
import { changesBetween } from './failing-since.ts'
import { FailingSince } from './failing-since.type.ts'

type Executions = Pick<ExecutionService, 'named'>

/** Causes of failures, and what people say of them. */
@Resolver(() => FailureCause)
export class CauseResolver {
  constructor(
    private readonly causes: CauseRepository,
    private readonly service: CauseService,
    private readonly executions: Executions,
  ) {}

  @Query(() => FailureCauseConnection, {
    description:
      'Causes of the failures among executions that match, those seen last first. Kept as long as details are.',
  })
  failureCauses(
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
    @Arg('filter', () => ExecutionResultFilter, {
      nullable: true,
      description: 'Which executions; all if absent.',
    })
    filter?: ExecutionResultFilter | null,
    @Arg('causes', () => FailureCauseFilter, {
      nullable: true,
      description: 'Which causes; all if absent.',
    })
    causes?: FailureCauseFilter | null,
  ): Promise<Connection<FailureCause>> {
    return this.causes.page(readPage(counted(page, info), isCauseKey), filter ?? {}, causes ?? {})
  }

  @Query(() => FailureCause, {
    nullable: true,
    description: 'The cause with this id, over all executions that are kept; null without any.',
  })
  failureCause(
    @Arg('id', () => ID, { description: 'Its `causeId` or `id`.' }) id: string,
  ): Promise<FailureCause | null> {
    return this.service.find(id)
  }

  @Mutation(() => FailureCause, {
    description:
      'Says where the fault of a cause lies and who takes care of it, in place of what was said before. Shown on equal failures from now on.',
  })
  setFailureVerdict(
    @Arg('input', () => SetFailureVerdictInput, { description: 'The cause and the verdict.' })
    input: SetFailureVerdictInput,
    @Ctx() { caller }: Context,
  ): Promise<FailureCause> {
    return this.service.judge(input, caller)
  }

  @Mutation(() => TestCase, {
    description:
      'Puts a scenario into quarantine, or takes it out: it runs on, but its failure makes no suite fail.',
  })
  setQuarantine(
    @Arg('input', () => SetQuarantineInput, { description: 'The scenario.' })
    input: SetQuarantineInput,
  ) {
    return this.service.quarantine(input)
  }

  @FieldResolver(() => ExecutionResult, {
    nullable: true,
    description:
      'The first execution that failed by it behind the last good one of its scenario, of all its scenarios the first.',
  })
  since(@Root() { sinceId }: FailureCause): Promise<Execution | null> | null {
    return sinceId === null ? null : this.executions.named(sinceId)
  }

  @FieldResolver(() => ExecutionResult, {
    nullable: true,
    description:
      'The last COMPLETED execution of any of its scenarios before `since`; its `revisions` are the last good ones.',
  })
  lastGood(@Root() { lastGoodId }: FailureCause): Promise<Execution | null> | null {
    return lastGoodId === null ? null : this.executions.named(lastGoodId)
  }
}

/** Why an execution failed, and since when. */
@Resolver(() => ExecutionResult)
export class CauseOfExecutionResolver {
  constructor(
    private readonly causes: CauseService,
    private readonly rows: FailingSinceRepository,
  ) {}

  @FieldResolver(() => FailureCause, {
    nullable: true,
    description:
      'The cause of its failure; null for a success, a cancel, a try of the editor and a suite, whose scenarios have causes, and once its details were deleted.',
  })
  cause(@Root() { causeId }: Execution): Promise<FailureCause | null> | null {
    return causeId === null ? null : this.causes.find(causeId)
  }

  @FieldResolver(() => FailingSince, {
    nullable: true,
    description:
      'Since which execution its scenario or suite fails; null unless this one failed, and for the test of a report.',
  })
  failingSince(@Root() execution: Execution) {
    const { state, errorCode } = execution
    const hasFailed = state === 'FAILED' || (state === 'ERROR' && errorCode !== 'CANCELLED')
    return hasFailed && !isReported(execution) ? this.rows.of(execution) : null
  }
}

/** Neighbours of the beginning of a row of failures. */
@Resolver(() => FailingSince)
export class FailingSinceResolver {
  constructor(private readonly executions: Executions) {}

  @FieldResolver(() => ExecutionResult, {
    nullable: true,
    description: 'The first execution that failed behind the last good one.',
  })
  first(@Root() { firstId }: FailingSince): Promise<Execution | null> {
    return this.executions.named(firstId)
  }

  @FieldResolver(() => ExecutionResult, {
    nullable: true,
    description:
      'The last COMPLETED one before, in the same environment if there is one; null without any.',
  })
  lastGood(@Root() { lastGoodId }: FailingSince): Promise<Execution | null> | null {
    return lastGoodId === null ? null : this.executions.named(lastGoodId)
  }

  @FieldResolver()
  async changes(@Root() { firstId, lastGoodId }: FailingSince) {
    if (lastGoodId === null) return []
    const [before, after] = await Promise.all(
      [lastGoodId, firstId].map((id) => this.executions.named(id)),
    )
    return before && after ? changesBetween(before, after) : []
  }
}
