import { Arg, Query, Resolver, Root, Subscription } from 'type-graphql'
import { fromStream } from '../../platform/subgraph/build-subgraph.ts'
import { QUERY_DESCRIPTION } from '../read/language/description.ts'
import type { ChangedEvent, EventStreams } from './event-streams.ts'
import { EventChange, EventOccurrence } from './stream.type.ts'

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
