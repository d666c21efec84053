import { Arg, Field, ObjectType, Query, Resolver, Root, Subscription } from 'type-graphql'
import { QUERY_DESCRIPTION } from '../../../platform/event-query/description.ts'
import { fromStream } from '../../../platform/subgraph/build-subgraph.ts'
import { Event } from '../read/event.type.ts'
import { RawEvent } from '../read/raw-event.type.ts'
import { StatusChange } from '../read/status-change.type.ts'
import type { ChangedEvent, EventStreams } from './event-streams.ts'

@ObjectType({ description: 'An occurrence that was received, and its event.' })
export class EventOccurrence {
  @Field(() => String, { description: 'Pass it as `after` to continue behind this occurrence.' })
  cursor!: string

  @Field(() => Event, { description: 'The event as it is by now, further occurrences included.' })
  event!: Event

  @Field(() => RawEvent, { description: 'The occurrence.' })
  rawEvent!: RawEvent

  @Field(() => Boolean, { description: 'Whether it was the first of its event.' })
  isNew!: boolean
}

@ObjectType({
  description: 'A change of an event: an occurrence, or a status that a person set.',
})
export class EventChange {
  @Field(() => String, { description: 'Pass it as `after` to continue behind this change.' })
  cursor!: string

  @Field(() => Event, { description: 'The event as it is by now, further changes included.' })
  event!: Event

  @Field(() => RawEvent, {
    nullable: true,
    description: 'The occurrence that was counted; null where a person set the status.',
  })
  rawEvent!: RawEvent | null

  @Field(() => StatusChange, {
    nullable: true,
    description:
      'The status that a person set; null for an occurrence, whose effect on the status `event` shows.',
  })
  statusChange!: StatusChange | null
}

@Resolver()
export class StreamResolver {
  constructor(private readonly streams: Pick<EventStreams, 'cursor'>) {}

  @Query(() => String, {
    description:
      'The `after` of `eventChanged` and `eventReceived` for what changes from now on. Read it before a list: the list together with the stream lacks nothing.',
  })
  eventCursor(): Promise<string> {
    return this.streams.cursor()
  }

  @Subscription(() => EventOccurrence, {
    description:
      'Occurrences as they are stored, in the order of commit, each once. Never ends. Fails with CURSOR_EXPIRED for a cursor that is unknown or older than the retention time.',
    subscribe: fromStream,
  })
  eventReceived(
    @Root() received: ChangedEvent & EventOccurrence,
    @Arg('query', () => String, { nullable: true, description: QUERY_DESCRIPTION })
    _query: string | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'Absent: only new entries. Empty: replays all kept entries, then continues with new ones. A cursor: continues behind it.',
    })
    _after: string | null,
  ): EventOccurrence {
    return received
  }

  @Subscription(() => EventChange, {
    description:
      'Changes of events, in the order of commit, each once: an occurrence that was counted, or a status that a person set. Never ends. Its cursors and those of `eventReceived` continue each other; it fails as that does.',
    subscribe: fromStream,
  })
  eventChanged(
    @Root() changed: ChangedEvent,
    @Arg('query', () => String, {
      nullable: true,
      description: `Of the event as it is when its change is delivered. ${QUERY_DESCRIPTION}`,
    })
    _query: string | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'Absent: what changes from now on. Empty: everything that is still kept, then what comes. A cursor: what came behind it.',
    })
    _after: string | null,
  ): EventChange {
    return changed
  }
}
