import type { GraphQLResolveInfo } from 'graphql'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Info,
  Int,
  Query,
  Resolver,
  Root,
  Subscription,
} from 'type-graphql'
import { sizeOf } from '../../../../formats/json/values.ts'
import type { Context } from '../../../../platform/access/caller.ts'
import { inSlices, nextTurn } from '../../../../platform/async/turns.ts'
import type { ReadBudget } from '../../../../platform/paging/read-budget.ts'
import { fromStream } from '../../../../platform/subgraph/build-subgraph.ts'
import { selects } from '../../../../platform/subgraph/executable.ts'
import { junitReport } from '../../../../runner/reports/junit-report.ts'
import { xaReport } from '../../../../runner/reports/xa-report.ts'
import type { ArtifactService } from '../../artifacts/artifact.service.ts'
import { ENVIRONMENT } from '../../artifacts/environment/environment.kind.ts'
import { Environment } from '../../artifacts/environment/environment.type.ts'
import { KINDS } from '../../artifacts/kinds.ts'
import { SUITE } from '../../artifacts/suite/suite.kind.ts'
import { TESTCASE } from '../../artifacts/testcase/testcase.kind.ts'
import type { Execution } from '../execution.entity.ts'
import { type ExecutionService, keepsDetails } from '../execution.service.ts'
import { durationMsOf, isFinal, type Label, labelList } from '../execution.ts'
import {
  ExecutedRevision,
  ExecutionContext,
  ExecutionLabel,
  ExecutionProgress,
  ExecutionResult,
  ExecutionUpdate,
  ReportFormat,
} from '../execution.type.ts'
import { ExecutionResultFilter } from '../list/list.args.ts'
import type { ExecutionChange } from '../watch/updates.ts'
import { graphRevision, graphStep, graphSteps } from './graph-ids.ts'
import { isReported } from './reported-tests.ts'

/** Fields for which members of a suite are read whole. */
const DETAILS = new Set(['steps', 'sourceCode', 'hitLines', 'untouchedLines', 'report'])

@Resolver(() => ExecutedRevision)
export class ExecutedRevisionResolver {
  constructor(private readonly artifacts: Pick<ArtifactService, 'find'>) {}

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'Name of the artifact as it is now; null once it is deleted, where it was not stored, and for readers without `artifacts:read`.',
  })
  async name(@Root() { kind, artifactId, revision }: ExecutedRevision, @Ctx() { caller }: Context) {
    const of = KINDS.find(({ name }) => name === kind)
    if (!of || revision === 0 || !caller.permissions.includes('artifacts:read')) return null
    return (await this.artifacts.find(of, artifactId))?.name ?? null
  }
}

@Resolver(() => ExecutionResult)
export class ExecutionResolver {
  constructor(
    private readonly executions: ExecutionService,
    private readonly artifacts: ArtifactService,
    private readonly budget: ReadBudget,
  ) {}

  @Query(() => ExecutionResult, {
    nullable: true,
    description: 'The execution with this id, or null.',
  })
  executionResult(@Arg('id', () => ID) id: string, @Ctx() { caller }: Context) {
    return this.executions.read(id, caller)
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
  ) {
    return updateOf(change)
  }

  @Subscription(() => ExecutionUpdate, {
    description:
      'Every change of state of every execution that matches, in the order of commit, each once; `states` means the state that it changes to. Never ends. Without `after` from now on; `""` replays all kept changes; a cursor continues behind it. Changes go with the details of their execution. Fails with CURSOR_EXPIRED for a cursor that is none of this stream.',
    subscribe: fromStream,
  })
  executionStateChanged(
    @Root() change: ExecutionChange,
    @Arg('filter', () => ExecutionResultFilter, {
      nullable: true,
      description: 'Which executions and states; all if absent.',
    })
    _filter?: ExecutionResultFilter | null,
    @Arg('after', () => String, { nullable: true }) _after?: string | null,
  ) {
    return updateOf(change)
  }

  @FieldResolver()
  revisions(@Root() { id, revisions }: Execution) {
    return revisions.map((revision) => graphRevision(id, revision))
  }

  @FieldResolver(() => ExecutionContext, {
    nullable: true,
    description:
      'What was executed; null once it is deleted, and for a test that a command reported.',
  })
  context(@Root() { id, contextId, type }: Execution) {
    if (isReported({ id })) return null
    return this.artifacts.find(type === 'SUITE' ? SUITE : TESTCASE, contextId)
  }

  @FieldResolver(() => [ExecutionLabel], { description: 'Its labels, by name.' })
  labels(@Root() { labels }: Execution): Label[] {
    return labelList(labels)
  }

  @FieldResolver(() => Environment, {
    nullable: true,
    description:
      'The environment as it is now; null without one, once it is deleted, and for readers without `artifacts:read`.',
  })
  environment(@Root() { environmentId }: Execution, @Ctx() { caller }: Context) {
    if (environmentId === null || !caller.permissions.includes('artifacts:read')) return null
    return this.artifacts.find(ENVIRONMENT, environmentId)
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      'Milliseconds from its acceptance to its end; null while it runs, and beyond 24 days.',
  })
  durationMs(@Root() execution: Execution): number | null {
    return durationMsOf(execution)
  }

  @FieldResolver(() => [ExecutionResult], {
    description:
      'Results of the scenarios of a suite that have begun, in its order; of a scenario, those of the tests that its commands have reported, whose `contextId` is the name of the test.',
  })
  testCaseResults(@Root() execution: Execution, @Info() info: GraphQLResolveInfo) {
    const nested = this.executions.nested(execution, selects(info, DETAILS) ? 'WHOLE' : 'BRIEF')
    return Array.isArray(nested) ? this.#listed(nested) : this.#members(nested)
  }

  @FieldResolver()
  steps(@Root() { id, steps }: Execution) {
    return this.#listed(graphSteps(id, steps))
  }

  @FieldResolver()
  validationFailures(@Root() { validationFailures }: Execution) {
    return validationFailures.length <= 1 ? validationFailures : this.#listed(validationFailures)
  }

  @FieldResolver()
  codeCoverage(@Root() { codeCoverage }: Execution) {
    return this.#listed(codeCoverage)
  }

  /** Charges members, which are read with all of their steps in one piece. */
  async #members(members: Promise<Execution[]>) {
    const read = await members
    await nextTurn()
    return inSlices(read)
  }

  /** An operation may name a list many times, each time with all of its values. */
  #listed<Item>(items: readonly Item[]) {
    if (items.length === 0) return []
    return this.budget.inTurn(async () => {
      const value = inSlices(items)
      if (value !== items) await nextTurn() // its size takes as long as a slice
      return { value, bytes: sizeOf(items) }
    })
  }

  @FieldResolver(() => ExecutionResult, {
    nullable: true,
    description: 'The execution of a suite that it belongs to; null for one that stands alone.',
  })
  suiteResult(@Root() { suiteId }: Execution): Promise<Execution | null> | null {
    return suiteId === null ? null : this.executions.named(suiteId)
  }

  @FieldResolver(() => ExecutionResult, {
    nullable: true,
    description: 'The execution that it repeats; null where it repeats none.',
  })
  againOf(@Root() { againOf }: Execution): Promise<Execution | null> | null {
    return againOf === null ? null : this.executions.named(againOf)
  }

  @FieldResolver(() => ExecutionResult, {
    nullable: true,
    description:
      'The execution that repeats it, of a scenario in a suite that suite; statistics count that one instead. Null where none does.',
  })
  again(@Root() { againId }: Execution): Promise<Execution | null> | null {
    return againId === null ? null : this.executions.named(againId)
  }

  @FieldResolver(() => ExecutionProgress, { description: 'How far it is.' })
  progress(@Root() execution: Execution): Promise<ExecutionProgress> {
    return this.executions.progress(execution)
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'The report as XML; null while the execution runs. GONE once details of that age were deleted.',
  })
  async report(
    @Root() execution: Execution,
    @Arg('format', () => ReportFormat, { defaultValue: 'XA' }) format: 'XA' | 'JUNIT',
  ): Promise<string | null> {
    if (!isFinal(keepsDetails(execution).state)) return null
    const result = await this.executions.reported(execution)
    return this.budget.inTurn(async () => {
      const value = await (format === 'XA' ? xaReport(result) : junitReport(result))
      return { value, bytes: value.length }
    })
  }

  @FieldResolver(() => String, {
    nullable: true,
    description:
      'All log lines, each with its line end. GONE once details of that age were deleted.',
  })
  log(@Root() execution: Execution) {
    return this.executions.log(execution)
  }
}

const updateOf = (change: ExecutionChange) => ({
  ...change,
  step: change.step && graphStep(change.execution.id, change.step),
})
