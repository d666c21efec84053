import { Field, ID, Int, ObjectType } from 'type-graphql'
import { Event } from '../read/event.type.ts'
import type { StoredEvent } from '../tables/event.entity.ts'

@ObjectType({ description: 'A silence that keeps notifications of an event back now.' })
export class HoldingSilence {
  @Field(() => ID, { description: 'The silence.' })
  silenceId!: string

  @Field(() => String, { description: 'Its name.' })
  name!: string

  @Field(() => String, { description: 'Why it holds.' })
  reason!: string

  @Field(() => String, {
    nullable: true,
    description: 'When it ends, or `RESOLVED`; null without an end.',
  })
  until!: string | null
}

@ObjectType({ description: 'Open events that a silence matches now.' })
export class SilencePreview {
  @Field(() => Boolean, { description: 'Whether it holds at this moment.' })
  isActive!: boolean

  @Field(() => Int, { description: 'How many open events it matches.' })
  total!: number

  @Field(() => [Event], { description: 'The hundred of them that happened last.' })
  events!: StoredEvent[]
}
