import { GraphQLJSONObject } from 'graphql-scalars'
import { ArgsType, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import type { DeliveryAttempt } from '../../../platform/deliveries/delivery.ts'
import { connectionType } from '../../../platform/paging/connection.type.ts'
import { enumType } from '../../../platform/subgraph/enum-type.ts'
import type { StoredNotification } from './notification.repository.ts'
import type { NotificationBody } from './notification.ts'

export const NotificationState = enumType(
  'NotificationState',
  'State of the delivery of a notification.',
  {
    PENDING: 'The next attempt is due at `nextAttemptAt`.',
    DELIVERED: 'The channel took it.',
    GIVEN_UP: 'The receiver answered 410: it wants no more.',
    DEAD: 'No attempt is left, or none can succeed; `redeliverNotification` tries again.',
  },
)

@ObjectType({ description: 'One try to deliver a notification.' })
export class NotificationAttempt implements DeliveryAttempt {
  @Field(() => Date, { description: 'When it began.' })
  started!: string

  @Field(() => Int, { nullable: true, description: 'Status of the answer; null without one.' })
  status!: number | null

  @Field(() => String, {
    nullable: true,
    description: 'Why there was no answer, or the words of a refusal.',
  })
  error!: string | null

  @Field(() => Int, { description: 'Milliseconds until the answer or the error.' })
  durationMs!: number
}

@ObjectType({ description: 'Changes of events that one channel is notified of together.' })
export class Notification {
  @Field(() => ID, { description: 'Its id.' })
  id!: string

  @Field(() => ID, {
    description: 'The receiver sees it as `webhook-id`, the same for the same content.',
  })
  messageId!: string

  @Field(() => ID, { description: 'The rule.' })
  ruleId!: string

  @Field(() => ID, { description: 'The channel.' })
  channelId!: string

  @Field(() => GraphQLJSONObject, {
    description: 'Its content: rule, group, reason, changes and what is still open.',
  })
  body!: NotificationBody

  @Field(() => NotificationState, { description: 'State of the delivery.' })
  state!: keyof typeof NotificationState

  @Field(() => [NotificationAttempt], { description: 'Every attempt so far, in order.' })
  attempts!: DeliveryAttempt[]

  @Field(() => Date, { description: 'When it was decided.' })
  created!: Date

  @Field(() => Date, {
    nullable: true,
    description: 'When the next attempt is due; null once nothing more is tried.',
  })
  nextAttemptAt!: Date | null
}

@ObjectType({ description: 'A page of notifications.' })
export class NotificationConnection extends connectionType<StoredNotification>(
  () => Notification,
  'Notification',
) {}

@ArgsType()
export class NotificationFilter {
  @Field(() => NotificationState, { nullable: true, description: 'Only those in this state.' })
  state?: keyof typeof NotificationState | null

  @Field(() => ID, { nullable: true, description: 'Only those of this rule.' })
  ruleId?: string | null

  @Field(() => ID, { nullable: true, description: 'Only those of this channel.' })
  channelId?: string | null
}

@InputType({ description: 'A notification to deliver again.' })
export class RedeliverNotificationInput {
  @Field(() => ID, { description: 'Id of the notification.' })
  id!: string
}

@InputType({ description: 'A channel to try.' })
export class TestChannelInput {
  @Field(() => ID, { description: 'Id of the channel.' })
  id!: string
}
