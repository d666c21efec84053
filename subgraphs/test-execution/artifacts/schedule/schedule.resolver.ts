import type { GraphQLResolveInfo } from 'graphql'
import { FieldResolver, ID, Info, Resolver, Root } from 'type-graphql'
import { batched } from '../../../../platform/async/turns.ts'
import { ExecutionContext } from '../../executions/execution.type.ts'
import type {
  ScheduleState,
  ScheduleStateRepository,
} from '../../schedules/schedule-state.repository.ts'
import { runTimes } from '../../schedules/times.ts'
import { type ArtifactServices, artifactResolver } from '../artifact.resolver.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'
import { Environment } from '../environment/environment.type.ts'
import { SUITE } from '../suite/suite.kind.ts'
import { TESTCASE } from '../testcase/testcase.kind.ts'
import { SCHEDULE } from './schedule.kind.ts'
import { Schedule, ScheduleConnection, ScheduleInput } from './schedule.type.ts'

const SHOWN_RUNS = 3

@Resolver(() => Schedule)
export class ScheduleResolver extends artifactResolver(SCHEDULE, {
  artifact: Schedule,
  connection: ScheduleConnection,
  attributes: ScheduleInput,
}) {
  readonly #stateOf: (id: string) => Promise<ScheduleState | undefined>

  constructor(services: ArtifactServices, states: Pick<ScheduleStateRepository, 'findAll'>) {
    super(services)
    this.#stateOf = batched((ids) => states.findAll(ids))
  }

  @FieldResolver(() => ExecutionContext, { description: 'The scenario or suite to execute.' })
  async target(@Root() { target }: Schedule) {
    return (await this.artifacts.find(SUITE, target)) ?? this.artifacts.find(TESTCASE, target)
  }

  @FieldResolver(() => Environment, {
    nullable: true,
    description: 'Environment that the scenarios run in, instead of their own.',
  })
  environment(@Root() { environment }: Schedule, @Info() info: GraphQLResolveInfo) {
    return environment && this.referenced(ENVIRONMENT, environment, info)
  }

  @FieldResolver(() => [Date], {
    description: 'Its next three runs; none while it is not enabled.',
  })
  async nextRuns(@Root() schedule: Schedule): Promise<Date[]> {
    const { nextAt = null } = (await this.#stateOf(schedule.id)) ?? {}
    const times = runTimes(schedule.id, schedule)
    const runs: Date[] = []
    for (let next = nextAt; next && runs.length < SHOWN_RUNS; next = times.after(next))
      runs.push(next)
    return runs
  }

  @FieldResolver(() => String, {
    description: 'The account whose rights its runs have: the one that stored it last.',
  })
  async storedBy(@Root() { id }: Schedule): Promise<string> {
    return (await this.#stateOf(id))?.owner.user ?? 'anonymous'
  }

  @FieldResolver(() => Date, { nullable: true, description: 'When it last started an execution.' })
  async lastRunAt(@Root() { id }: Schedule): Promise<Date | null> {
    return (await this.#stateOf(id))?.lastRunAt ?? null
  }

  @FieldResolver(() => ID, { nullable: true, description: 'Id of the result of that execution.' })
  async lastResultId(@Root() { id }: Schedule): Promise<string | null> {
    return (await this.#stateOf(id))?.lastResultId ?? null
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Why its last time started nothing; null where it did.',
  })
  async failure(@Root() { id }: Schedule): Promise<string | null> {
    return (await this.#stateOf(id))?.failure ?? null
  }
}
