import {
  Arg,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Mutation,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql'
import { fromStream } from '../../shared/build-subgraph.ts'
import type { Context } from '../../shared/caller.ts'
import type { ArtifactService } from '../artifacts/artifact.service.ts'
import { TESTCASE } from '../artifacts/testcase/testcase.kind.ts'
import type { ExecutionService } from './execution.service.ts'
import { type Execution, isFinal } from './execution.ts'
import {
  ExecutionContext,
  ExecutionResult,
  ExecutionType,
  ExecutionUpdate,
  ReportFormat,
} from './execution.type.ts'
import type { ExecutionChange } from './execution.updates.ts'

@InputType({
  description: 'Sign-in at the host of the component under test; dropped when the execution ends.',
})
class HostCredentialsInput {
  @Field(() => String, { description: 'User id.' })
  userId!: string

  @Field(() => String, { description: 'Never logged and never returned.' })
  password!: string
}

@InputType({ description: 'What to execute.' })
class ExecuteInput {
  @Field(() => ID, { description: 'Id of a scenario or a suite.' })
  contextId!: string

  @Field(() => ExecutionType, {
    nullable: true,
    description: 'Refuses a context of the other type.',
  })
  type?: 'TEST' | 'SUITE' | null

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Answer only when the execution has ended.',
  })
  wait!: boolean

  @Field(() => String, {
    nullable: true,
    description:
      'http or https URL that the result is posted to after the end, signed as Standard Webhooks describes.',
  })
  callbackUrl?: string | null

  @Field(() => HostCredentialsInput, {
    nullable: true,
    description: 'Needed unless the scenario allows execution without.',
  })
  credentials?: HostCredentialsInput | null
}

@Resolver(() => ExecutionResult)
export class ExecutionResolver {
  constructor(
    private readonly executions: ExecutionService,
    private readonly artifacts: ArtifactService,
  ) {}

  @Query(() => ExecutionResult, {
    nullable: true,
    description: 'The execution with this id, or null.',
  })
  executionResult(@Arg('id', () => ID) id: string) {
    return this.executions.find(id)
  }

  @Mutation(() => ExecutionResult, {
    description: 'Executes a scenario. Answers at once, unless `wait` is set.',
  })
  execute(@Arg('input', () => ExecuteInput) input: ExecuteInput, @Ctx() { caller }: Context) {
    return this.executions.execute(input, caller)
  }

  @Subscription(() => ExecutionUpdate, {
    description:
      'Begins with how the execution stands now, goes on with each change, and completes when it has ended. `after` resumes behind an update that was seen; `""` replays from the first.',
    subscribe: fromStream,
  })
  executionUpdated(
    @Root() change: ExecutionChange,
    @Arg('id', () => ID) _id: string,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ): ExecutionUpdate {
    return change
  }

  @FieldResolver(() => ExecutionContext, {
    nullable: true,
    description: 'What was executed; null once it is deleted.',
  })
  context(@Root() { contextId }: Execution) {
    return this.artifacts.find(TESTCASE, contextId)
  }

  @FieldResolver(() => [ExecutionResult], {
    description: 'Results of the members of a suite; empty for a scenario.',
  })
  testCaseResults(): Execution[] {
    return []
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'The report as XML; null while the execution runs.',
  })
  async report(
    @Root() execution: Execution,
    @Arg('format', () => ReportFormat, { defaultValue: 'XA' }) format: 'XA' | 'JUNIT',
  ): Promise<string | null> {
    if (!isFinal(execution.state)) return null
    // Loaded by the first who asks: the XML library takes its time and memory.
    return format === 'XA'
      ? (await import('../runners/reports/xa-report.ts')).xaReport(execution)
      : (await import('../runners/reports/junit-report.ts')).junitReport(execution)
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'All log lines, each with its line end.',
  })
  log(@Root() { id }: Execution) {
    return this.executions.log(id)
  }
}
