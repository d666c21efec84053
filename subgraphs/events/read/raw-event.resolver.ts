import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, FieldResolver, Info, Query, Resolver, Root } from 'type-graphql'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import { QUERY_DESCRIPTION } from '../../../platform/event-query/description.ts'
import { PageArgs } from '../../../platform/paging/page.args.ts'
import { type Connection, readPage } from '../../../platform/paging/page.ts'
import { counted } from '../../../platform/paging/selects-total.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { StoredRawEvent } from '../tables/raw-event.entity.ts'
import type { EventService } from './event.service.ts'
import { Event, EventSource } from './event.type.ts'
import { ExecutionResult } from './execution.type.ts'
import { isOccurrenceKey, isRawEventKey, type RawEventRepository } from './raw-event.repository.ts'
import { RawEvent, RawEventConnection } from './raw-event.type.ts'
import { sourceOf } from './source.ts'

@Resolver(() => RawEvent)
export class RawEventResolver {
  constructor(
    private readonly rows: RawEventRepository,
    private readonly events: EventService,
  ) {}

  @Query(() => RawEventConnection, {
    description:
      'Occurrences that are not older than the retention time, the one that was stored last first.',
  })
  rawEvents(
    @Arg('query', () => String, { nullable: true, description: QUERY_DESCRIPTION })
    query: string | null,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<StoredRawEvent>> {
    return this.rows.findPage(
      readPage(counted(page, info), isRawEventKey),
      compileQuery(query, 'raw'),
    )
  }

  @FieldResolver(() => Event, { description: 'The event that it was counted into.' })
  async event(@Root() { eventId }: StoredRawEvent): Promise<StoredEvent> {
    const event = await this.events.find(eventId)
    if (!event) throw new Error('An occurrence without its event')
    return event
  }

  @FieldResolver(() => EventSource, { nullable: true, description: 'What it is about.' })
  source(@Root() raw: StoredRawEvent): EventSource | null {
    return sourceOf(raw)
  }

  @FieldResolver(() => EventSource, { nullable: true, description: 'Who reported it.' })
  sender(@Root() raw: StoredRawEvent): EventSource | null {
    return raw.sender
  }

  @FieldResolver(() => ExecutionResult, {
    nullable: true,
    description: 'The execution whose end it is; null where it is none.',
  })
  execution(@Root() { executionId }: StoredRawEvent): ExecutionResult | null {
    return executionId === null ? null : { id: executionId }
  }
}

@Resolver(() => Event)
export class OccurrencesResolver {
  constructor(private readonly rawEvents: RawEventRepository) {}

  @FieldResolver(() => RawEventConnection, {
    description:
      'Its occurrences that are not older than the retention time, the one received last first.',
  })
  occurrences(
    @Root() { id }: StoredEvent,
    @Arg('query', () => String, { nullable: true, description: QUERY_DESCRIPTION })
    query: string | null,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<StoredRawEvent>> {
    const conditions = compileQuery(query, 'raw')
    return this.rawEvents.findPageOfEvent(
      id,
      readPage(counted(page, info), isOccurrenceKey),
      conditions,
    )
  }
}
