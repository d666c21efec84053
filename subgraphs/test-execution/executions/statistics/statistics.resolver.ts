import { Arg, Args, ArgsType, Field, Int, Query, Resolver } from 'type-graphql'
import { badInput } from '../../../../formats/errors.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import { ExecutionResultFilter } from '../list/list.args.ts'
import { EPOCH_MS, emptyBucket, type StatisticsRepository } from './statistics.repository.ts'
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

const MAX_BUCKETS = 1_000
const DEFAULT_BUCKETS = 30
const MINUTE_MS = 60_000
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
    @Args(() => StatisticsArgs) { interval, from, to, filter }: StatisticsArgs,
  ): Promise<ExecutionStatistics> {
    const minutes = INTERVAL_MINUTES[interval]
    const lengthMs = minutes * MINUTE_MS
    const bucketOf = (round: (value: number) => number, ms: number) =>
      EPOCH_MS + round((ms - EPOCH_MS) / lengthMs) * lengthMs
    const endMs = bucketOf(Math.ceil, to?.getTime() ?? currentTime().getTime())
    const startMs = bucketOf(Math.floor, from?.getTime() ?? endMs - DEFAULT_BUCKETS * lengthMs)
    const length = (endMs - startMs) / lengthMs
    if (length < 0) throw badInput('The statistics end before they begin')
    if (length > MAX_BUCKETS)
      throw badInput(
        `Statistics have at most ${MAX_BUCKETS} intervals (MAX_BUCKETS), not ${length}: take longer ones`,
      )
    const span = { from: new Date(startMs), to: new Date(endMs), minutes }
    const { whole, buckets } = await this.statistics.count(span, filter ?? {})
    const byStart = new Map(buckets.map((bucket) => [bucket.start.getTime(), bucket]))
    const all = Array.from({ length }, (_, position) => {
      const start = startMs + position * lengthMs
      return byStart.get(start) ?? emptyBucket(new Date(start))
    })
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
