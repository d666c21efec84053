import { Field, ObjectType } from 'type-graphql'
import { Event } from '../query/event.type.ts'
import { RawEvent } from '../query/raw-event.type.ts'

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
