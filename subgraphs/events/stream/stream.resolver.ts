import { Arg, Resolver, Root, Subscription } from 'type-graphql'
import { fromStream } from '../../shared/build-subgraph.ts'
import { QUERY_DESCRIPTION } from '../query/language/description.ts'
import type { ReceivedEvent } from './event-stream.ts'
import { EventOccurrence } from './stream.type.ts'

@Resolver()
export class StreamResolver {
  @Subscription(() => EventOccurrence, {
    description:
      'Occurrences as they are stored, in the order of commit, each once. Never ends. Fails with CURSOR_EXPIRED for a cursor that is unknown or older than the retention time, and with SLOW_CONSUMER when nothing is taken for a minute: resume with the last cursor.',
    subscribe: fromStream,
  })
  eventReceived(
    @Root() received: ReceivedEvent,
    @Arg('query', () => String, { nullable: true, description: QUERY_DESCRIPTION })
    _query: string | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        'Absent: what is stored from now on. Empty: everything that is still kept, then what comes. A cursor: what came behind it.',
    })
    _after: string | null,
  ): ReceivedEvent {
    return received
  }
}
