import { Field, ObjectType } from 'type-graphql'
import { Event } from '../read/event.type.ts'
import { RawEvent } from '../read/raw-event.type.ts'
import { StatusChange } from '../read/status-change.type.ts'

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
