import { Arg, Args, Query, Resolver } from 'type-graphql'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import { QUERY_DESCRIPTION } from '../../../platform/event-query/description.ts'
import { HistogramArgs } from './histogram.type.ts'
import type { StatisticsService } from './statistics.service.ts'
import { EventStatistics } from './statistics.type.ts'

@Resolver()
export class StatisticsResolver {
  constructor(private readonly statistics: StatisticsService) {}

  @Query(() => EventStatistics, {
    description:
      'Numbers about the events that match and occurred in a span of at most 1 000 intervals: occurrences by the time of their receipt, by severity and by status.',
  })
  eventStatistics(
    @Arg('query', () => String, { nullable: true, description: QUERY_DESCRIPTION })
    query: string | null,
    @Args(() => HistogramArgs) span: HistogramArgs,
  ): Promise<EventStatistics> {
    return this.statistics.count(span, compileQuery(query, 'event'))
  }
}
