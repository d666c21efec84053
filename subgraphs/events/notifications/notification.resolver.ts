import type { GraphQLResolveInfo } from 'graphql'
import { Arg, Args, ID, Info, Int, Mutation, Query, Resolver } from 'type-graphql'
import type { DeliveryAttempt } from '../../../platform/deliveries/delivery.ts'
import { PageArgs } from '../../../platform/paging/page.args.ts'
import type { Connection } from '../../../platform/paging/page.ts'
import { counted } from '../../../platform/paging/selects-total.ts'
import type { StoredNotification } from './notification.repository.ts'
import {
  Notification,
  NotificationAttempt,
  NotificationConnection,
  NotificationFilter,
  RedeliverNotificationInput,
  TestChannelInput,
} from './notification.type.ts'
import { RulePreview } from './preview.type.ts'
import type { Notifications } from './start.ts'

@Resolver(() => Notification)
export class NotificationResolver {
  constructor(private readonly notifications: Pick<Notifications, 'service' | 'pausedBy'>) {}

  @Query(() => NotificationConnection, {
    name: 'notifications',
    description:
      'Notifications, newest first; those in state DEAD wait for `redeliverNotification`.',
  })
  page(
    @Args(() => PageArgs) page: PageArgs,
    @Args(() => NotificationFilter) filter: NotificationFilter,
    @Info() info: GraphQLResolveInfo,
  ): Promise<Connection<StoredNotification>> {
    const { state, ruleId, channelId } = filter
    return this.notifications.service.page(counted(page, info), { state, ruleId, channelId })
  }

  @Query(() => String, {
    nullable: true,
    description:
      'Why no notification is sent: the setting `NOTIFICATIONS`, or that the store was restored from a backup; null while they are.',
  })
  notificationsPaused(): string | null {
    return this.notifications.pausedBy
  }

  @Query(() => RulePreview, {
    description:
      'What a stored rule, on or off, would have sent over the last hours, without silences. Only changes of status are kept, so rises of severity are left out.',
  })
  rulePreview(
    @Arg('id', () => ID, { description: 'The rule.' }) id: string,
    @Arg('hours', () => Int, { defaultValue: 24, description: 'At most 168.' }) hours: number,
  ): Promise<RulePreview> {
    return this.notifications.service.preview(id, hours)
  }

  @Mutation(() => Notification, {
    description:
      'Begins the attempts of a notification anew, with the same `webhook-id`. CONFLICT while it is PENDING.',
  })
  redeliverNotification(
    @Arg('input', () => RedeliverNotificationInput, { description: 'The notification.' })
    { id }: RedeliverNotificationInput,
  ): Promise<StoredNotification> {
    return this.notifications.service.redeliver(id)
  }

  @Mutation(() => NotificationAttempt, {
    description: 'Sends a test over a channel, once, and returns what the other side answered.',
  })
  testChannel(
    @Arg('input', () => TestChannelInput, { description: 'The channel.' }) { id }: TestChannelInput,
  ): Promise<DeliveryAttempt> {
    return this.notifications.service.test(id)
  }
}
