import { GraphQLJSONObject } from 'graphql-scalars'
import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { connectionType } from '../../../platform/paging/connection.type.ts'
import type { SourceFields } from '../ingestion/occurrence.ts'
import type { StoredEvent } from '../tables/event.entity.ts'

@ObjectType({ description: 'What an event is about, or who reported it.' })
export class EventSource implements SourceFields {
  @Field(() => String, { nullable: true, description: 'Its reference, such as a host name.' })
  ref!: string | null

  @Field(() => String, { nullable: true, description: 'Its kind, such as `host`.' })
  type!: string | null

  @Field(() => String, { nullable: true, description: 'Its name for people.' })
  name!: string | null

  @Field(() => GraphQLJSONObject, { nullable: true, description: 'Anything else about it.' })
  properties!: Record<string, unknown> | null
}

@Directive('@key(fields: "id")')
@ObjectType({
  description:
    'Something that happened, once or many times: occurrences with the same fingerprint are counted into one event, which shows the latest of them.',
})
export class Event implements Partial<StoredEvent> {
  @Field(() => ID, { description: 'Derived from the fingerprint.' })
  id!: string

  @Field(() => String, {
    description: 'What makes occurrences the same event: a hash of source, class and named fields.',
  })
  fingerprint!: string

  @Field(() => [String], {
    description:
      'The fields that form the fingerprint, as the first occurrence named them: `@title` and the like, or keys of `properties`. Where nothing else forms it, the title does.',
  })
  fingerprintFields!: string[]

  @Field(() => String, { description: 'What happened, in a line.' })
  title!: string

  @Field(() => String, { nullable: true, description: 'What happened, in detail.' })
  message!: string | null

  @Field(() => String, {
    description: 'How grave it is: INFO, WARN, ERROR, CRITICAL, or a word of the client.',
  })
  severity!: string

  @Field(() => String, {
    description: 'Its state: OPEN, ACKNOWLEDGED, CLOSED, OK, or a word of the client.',
  })
  status!: string

  @Field(() => GraphQLJSONObject, { description: 'Free keys and values.' })
  properties!: Record<string, unknown>

  @Field(() => [String], { description: 'Free labels.' })
  tags!: string[]

  @Field(() => String, { nullable: true, description: 'The class of event; part of the identity.' })
  eventClass!: string | null

  @Field(() => String, { nullable: true, description: 'Who looks at it; null for no one.' })
  assignee!: string | null

  @Field(() => String, {
    nullable: true,
    description: 'A ticket about it: its address or its key.',
  })
  ticket!: string | null

  @Field(() => Date, { description: 'When it happened first.' })
  firstSeenAt!: Date

  @Field(() => Date, { description: 'When it happened last.' })
  lastSeenAt!: Date

  @Field(() => Date, { description: 'When it was stored or changed last.' })
  lastUpdatedAt!: Date
}

@ObjectType({ description: 'A page of events.' })
export class EventConnection extends connectionType<Event>(() => Event, 'Event') {}
