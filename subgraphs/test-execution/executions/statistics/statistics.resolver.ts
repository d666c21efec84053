import { Arg, Args, ArgsType, Field, Int, Query, Resolver } from 'type-graphql'
import { badInput } from '../../../../formats/errors.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import { ExecutionResultFilter } from '../list/list.args.ts'
import { boundsOf } from './bounds.ts'
import { emptyBucket, type StatisticsRepository } from './statistics.repository.ts'
import {
  ExecutionInterval,
  ExecutionStatistics,
  FlakyContext,
  INTERVAL_MINUTES,
  type Interval,
} from './statistics.type.ts'

@ArgsType()
class StatisticsArgs {
  @Field(() => ExecutionInterval, { description: 'What each bucket covers.' })
  interval!: Interval

  @Field(() => Date, {
    nullable: true,
    description: 'The beginning; thirty intervals before the end if absent.',
  })
  from?: Date | null

  @Field(() => Date, { nullable: true, description: 'The end; now if absent.' })
  to?: Date | null

  @Field(() => String, {
    nullable: true,
    description: 'The zone in which days and weeks begin, such as Europe/Berlin; UTC if absent.',
  })
  timeZone?: string | null

  @Field(() => ExecutionResultFilter, {
    nullable: true,
    description: 'Which executions; all if absent.',
  })
  filter?: ExecutionResultFilter | null
}

@ArgsType()
class FlakyArgs {
  @Field(() => Int, {
    defaultValue: 50,
    description: 'The last executions of each that are looked at, from 2 to 1000.',
  })
  runs!: number

  @Field(() => Date, {
    nullable: true,
    description: 'Executions before are not looked at; 30 days ago if absent.',
  })
  from?: Date | null

  @Field(() => Int, { defaultValue: 20, description: 'Items at most, from 1 to 1000.' })
  first!: number
}

const DEFAULT_FLAKY_MS = 30 * 86_400_000

/** Statistics of executions over time. */
@Resolver()
export class StatisticsResolver {
  constructor(private readonly statistics: StatisticsRepository) {}

  @Query(() => ExecutionStatistics, {
    description:
      'How many executions were accepted, how they ended and how long they took, by the time of their acceptance.',
  })
  async executionStatistics(
    @Args(() => StatisticsArgs) { interval, from, to, timeZone, filter }: StatisticsArgs,
  ): Promise<ExecutionStatistics> {
    const bounds = boundsOf({
      minutes: INTERVAL_MINUTES[interval],
      from: from ?? null,
      to: to ?? currentTime(),
      timeZone: timeZone ?? null,
    })
    const { whole, buckets } = await this.statistics.count(bounds, filter ?? {})
    const all = bounds.slice(0, -1).map((start, at) => buckets.get(at) ?? emptyBucket(start))
    return { ...whole, buckets: all }
  }

  @Query(() => [FlakyContext], {
    description:
      'Scenarios and suites whose verdict changes between executions of the same revisions, those that change most often first.',
  })
  flakyContexts(
    @Args(() => FlakyArgs) { runs, from, first }: FlakyArgs,
    @Arg('filter', () => ExecutionResultFilter, {
      nullable: true,
      description: 'Which executions; all if absent.',
    })
    filter?: ExecutionResultFilter | null,
  ): Promise<FlakyContext[]> {
    if (runs < 2 || runs > 1_000) throw badInput(`runs: expected 2 to 1000, not ${runs}`)
    if (first < 1 || first > 1_000) throw badInput(`first: expected 1 to 1000, not ${first}`)
    const since = from ?? new Date(currentTime().getTime() - DEFAULT_FLAKY_MS)
    return this.statistics.flaky(since, runs, first, filter ?? {})
  }
}
