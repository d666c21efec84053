import { GraphQLJSONObject } from 'graphql-scalars'
import { Field, ID, ObjectType } from 'type-graphql'
import { connectionType } from '../../../platform/paging/connection.type.ts'
import type { StoredRawEvent } from '../tables/raw-event.entity.ts'

@ObjectType({ description: 'One occurrence of an event, as it was received.' })
export class RawEvent implements Partial<StoredRawEvent> {
  @Field(() => ID, { description: 'Names the occurrence.' })
  id!: string

  @Field(() => String, { description: 'What happened, in a line.' })
  title!: string

  @Field(() => String, { nullable: true, description: 'What happened, in detail.' })
  message!: string | null

  @Field(() => String, { description: 'How grave it was.' })
  severity!: string

  @Field(() => String, { description: 'The state that it reported.' })
  status!: string

  @Field(() => GraphQLJSONObject, { description: 'Free keys and values.' })
  properties!: Record<string, unknown>

  @Field(() => [String], { description: 'Free labels.' })
  tags!: string[]

  @Field(() => String, { nullable: true, description: 'The class of event.' })
  eventClass!: string | null

  @Field(() => Date, { description: 'When it happened: its `createdAt`, or the time of receipt.' })
  occurredAt!: Date

  @Field(() => Date, { description: 'When it was received.' })
  receivedAt!: Date

  @Field(() => Boolean, { description: 'Whether it was the first of its event.' })
  isNew!: boolean
}

@ObjectType({ description: 'A page of occurrences.' })
export class RawEventConnection extends connectionType<RawEvent>(() => RawEvent, 'RawEvent') {}
