import { randomUUID } from 'node:crypto'
import { AppError, notFound } from '../../../formats/errors.ts'
import type { DeliveryAttempt } from '../../../platform/deliveries/delivery.ts'
import {
  type Connection,
  type IsKey,
  type PageArgs,
  readPage,
} from '../../../platform/paging/page.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import { isUuid } from '../read/uuid.ts'
import type { ForwardedArtifactRepository } from './artifact.repository.ts'
import type { Deliver } from './deliver.ts'
import type {
  NotificationQuery,
  NotificationRepository,
  StoredNotification,
} from './notification.repository.ts'
import type { NotificationBody } from './notification.ts'

const isNotificationKey: IsKey = ([id = '', ...rest]) => isUuid(id) && rest.length === 0

/** Shows notifications, has them delivered again, and tries channels. */
export class NotificationService {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly artifacts: Pick<ForwardedArtifactRepository, 'channel'>,
    private readonly deliver: Deliver | undefined,
  ) {}

  /** @throws AppError BAD_USER_INPUT for a page that cannot be */
  page(page: PageArgs, filter: NotificationQuery): Promise<Connection<StoredNotification>> {
    return this.notifications.page(readPage(page, isNotificationKey), filter)
  }

  /** @throws AppError NOT_FOUND; CONFLICT while it is being tried anyway */
  async redeliver(id: string): Promise<StoredNotification> {
    const notification = await this.notifications.find(id)
    if (!notification) throw notFound('notification', id)
    if (!(await this.notifications.redeliver(notification, currentTime())))
      throw new AppError('CONFLICT', `The notification ${id} is pending already`)
    return (await this.notifications.find(id)) ?? notification
  }

  /** Sends a test once, also while notifications are paused. @throws AppError NOT_FOUND */
  async test(channelId: string): Promise<DeliveryAttempt> {
    const channel = await this.artifacts.channel(channelId)
    if (!channel || channel.isDeleted) throw notFound('channel', channelId)
    if (!this.deliver)
      throw new AppError('CONFLICT', 'This process delivers nothing: it lacks SECRETS_KEY')
    const body: NotificationBody = {
      rule: { id: 'test', name: `Test of ${String(channel.fields.name)}`, text: null },
      ...{ group: {}, reason: 'test', changes: [], changesTotal: 0, open: [], openTotal: 0 },
      created: currentTime().toISOString(),
    }
    return (
      await this.deliver(channel, {
        ...{ messageId: randomUUID(), groupId: randomUUID(), body, recipients: {} },
      })
    ).attempt
  }
}
