import { Field, ObjectType } from 'type-graphql'
import { connectionType } from '../../../platform/paging/connection.type.ts'
import type { StoredStatusChange } from '../tables/status-change.entity.ts'

@ObjectType({ description: 'A change of an event’s status.' })
export class StatusChange implements Partial<StoredStatusChange> {
  @Field(() => Date, { description: 'When it changed.' })
  at!: Date

  @Field(() => String, {
    nullable: true,
    description:
      'The user who changed it, or `EVENTS_RESOLVE_AFTER`; null where an occurrence did.',
  })
  changedBy!: string | null

  @Field(() => String, { description: 'The status before.' })
  fromStatus!: string

  @Field(() => String, { description: 'The status after.' })
  toStatus!: string

  @Field(() => String, { description: 'The severity before.' })
  fromSeverity!: string

  @Field(() => String, { description: 'The severity after.' })
  toSeverity!: string

  @Field(() => String, {
    nullable: true,
    description: 'What the user said about it; null without a comment.',
  })
  comment!: string | null
}

@ObjectType({ description: 'A page of changes.' })
export class StatusChangeConnection extends connectionType<StatusChange>(
  () => StatusChange,
  'StatusChange',
) {}
