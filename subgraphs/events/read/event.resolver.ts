import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, FieldResolver, ID, Info, Int, Query, Resolver, Root } from 'type-graphql'
import { MAX_TIMES_SEEN } from '../../../formats/event-limits.ts'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import { QUERY_DESCRIPTION } from '../../../platform/event-query/description.ts'
import { PageArgs } from '../../../platform/paging/page.args.ts'
import { type Connection, readPage } from '../../../platform/paging/page.ts'
import { counted } from '../../../platform/paging/selects-total.ts'
import { SortInput } from '../../../platform/paging/sort.args.ts'
import type { ImportService } from '../ingestion/imported/import.service.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { StoredStatusChange } from '../tables/status-change.entity.ts'
import type { EventService } from './event.service.ts'
import { Event, EventConnection, EventSource } from './event.type.ts'
import { ExecutionContext, ExecutionResult, Suite, TestCase } from './execution.type.ts'
import { FingerprintExplanation } from './explanation.type.ts'
import { EVENT_ATTRIBUTES } from './lists/event-order.ts'
import { sourceOf } from './source.ts'
import { isStatusChangeKey, type StatusChangeRepository } from './status-change.repository.ts'
import { StatusChangeConnection } from './status-change.type.ts'

/** Explains an event's identity, as its first occurrence decided it. */
function explainFingerprint(event: StoredEvent): FingerprintExplanation {
  const always: [string, unknown][] = [
    ['@source.ref', event.sourceRef],
    ['@source.type', event.sourceType],
    ['@eventClass', event.eventClass],
  ]
  const present = always.filter(([, value]) => value !== null)
  const used = new Set(event.fingerprintValues.map(([name]) => name))
  return {
    used: [...present, ...event.fingerprintValues].map(([name, value]) => ({ name, value })),
    ignored: [...new Set(event.fingerprintFields)].filter((name) => !used.has(name)),
  }
}

@Resolver(() => Event)
export class EventResolver {
  constructor(
    private readonly service: EventService,
    private readonly imports: Pick<ImportService, 'eventIdsOf'>,
    private readonly changes: StatusChangeRepository,
  ) {}

  @Query(() => Event, { nullable: true, description: 'One event; null where the id is unknown.' })
  async event(
    @Arg('id', () => ID, {
      description: 'As `ingestEvents` returned it, or the id that an imported event had before.',
    })
    id: string,
  ): Promise<StoredEvent | null> {
    const event = await this.service.find(id)
    if (event) return event
    const eventId = (await this.imports.eventIdsOf([id])).get(id)
    return (eventId && (await this.service.find(eventId))) || null
  }

  @Query(() => EventConnection, {
    description: 'Events, the one that happened first last, unless they are sorted.',
  })
  events(
    @Arg('query', () => String, { nullable: true, description: QUERY_DESCRIPTION })
    query: string | null,
    @Arg('sort', () => SortInput, {
      nullable: true,
      description: `What they are sorted by: ${EVENT_ATTRIBUTES} (severities by rank; texts by their first 100 characters). Ties are ordered by id. No index has these orders: with many millions of events that match, the list may take longer than EVENTS_QUERY_TIMEOUT_MS.`,
    })
    sort: SortInput | null,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<StoredEvent>> {
    return this.service.findPage(counted(page, info), compileQuery(query, 'event'), sort)
  }

  @FieldResolver(() => EventSource, {
    nullable: true,
    description: 'What it is about; null where the client named nothing.',
  })
  source(@Root() event: StoredEvent): EventSource | null {
    return sourceOf(event)
  }

  @FieldResolver(() => EventSource, {
    nullable: true,
    description: 'Who reported it last; null where the client did not say.',
  })
  sender(@Root() event: StoredEvent): EventSource | null {
    return event.sender
  }

  @FieldResolver(() => Int, {
    description: `How many occurrences were counted into it; ${MAX_TIMES_SEEN} stands for more as well.`,
  })
  timesSeen(@Root() { timesSeen }: StoredEvent): number {
    return Math.min(timesSeen, MAX_TIMES_SEEN)
  }

  @FieldResolver(() => FingerprintExplanation, {
    description: 'What its fingerprint was formed of, and what of the named fields had no effect.',
  })
  fingerprintExplanation(@Root() event: StoredEvent): FingerprintExplanation {
    return explainFingerprint(event)
  }

  @FieldResolver(() => ExecutionResult, {
    nullable: true,
    description: 'The latest execution that caused it; null where none did.',
  })
  execution(@Root() { executionId }: StoredEvent): ExecutionResult | null {
    return executionId === null ? null : { id: executionId }
  }

  @FieldResolver(() => ExecutionContext, {
    nullable: true,
    description: 'The scenario or suite whose execution caused it; null where none did.',
  })
  async executionContext(@Root() event: StoredEvent): Promise<TestCase | Suite | null> {
    const link = await this.service.findLink(event)
    if (!link) return null
    return Object.assign(link.contextType === 'suite' ? new Suite() : new TestCase(), {
      id: link.contextId,
    })
  }

  @FieldResolver(() => StatusChangeConnection, {
    description: 'How its status changed since it happened first, the latest change first.',
  })
  statusHistory(
    @Root() { id }: StoredEvent,
    @Args(() => PageArgs) page: PageArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<StoredStatusChange>> {
    return this.changes.findPage(id, readPage(counted(page, info), isStatusChangeKey))
  }
}
