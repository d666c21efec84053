import { Arg, Args, FieldResolver, Query, Resolver, Root } from 'type-graphql'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import { QUERY_DESCRIPTION } from '../../../platform/event-query/description.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import { Event } from './event.type.ts'
import type { HistogramService } from './histogram.service.ts'
import { HistogramArgs, HistogramBucket } from './histogram.type.ts'

@Resolver(() => Event)
export class HistogramResolver {
  constructor(private readonly histograms: HistogramService) {}

  @Query(() => [HistogramBucket], {
    description:
      'Occurrences of all events that match, by the time of their receipt; one bucket for each interval, also for empty ones.',
  })
  eventHistogram(
    @Arg('query', () => String, { nullable: true, description: QUERY_DESCRIPTION })
    query: string | null,
    @Args(() => HistogramArgs) span: HistogramArgs,
  ): Promise<HistogramBucket[]> {
    return this.histograms.count(span, compileQuery(query, 'event'))
  }

  @FieldResolver(() => [HistogramBucket], {
    description:
      'Its occurrences by the time of their receipt; one bucket for each interval, also for empty ones.',
  })
  histogram(
    @Root() { id }: StoredEvent,
    @Args(() => HistogramArgs) span: HistogramArgs,
  ): Promise<HistogramBucket[]> {
    return this.histograms.count(span, [{ sql: 'counted.event_id = ?', parameters: [id] }])
  }
}
