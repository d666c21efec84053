import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
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
import type { PreviewRepository } from './preview.repository.ts'
import type { RulePreview } from './preview.type.ts'

const HOUR_MS = 3_600_000
const MAX_HOURS = 168
const MAX_PREVIEWED = 100
const MAX_TITLES = 10

const isNotificationKey: IsKey = ([id = '', ...rest]) => isUuid(id) && rest.length === 0

/** Pauses before what was not found is looked for again. */
const ARRIVAL_MS = [50, 100, 200, 400, 800]

/** Channels, rules and silences that were stored just now come by a job a moment later. */
export async function arrived<Found>(find: () => Promise<Found | null>): Promise<Found | null> {
  for (const ms of ARRIVAL_MS) {
    const found = await find()
    if (found) return found
    await delay(ms)
  }
  return find()
}

/** Shows notifications, has them delivered again, and tries channels. */
export class NotificationService {
  constructor(
    private readonly notifications: NotificationRepository,
    private readonly artifacts: Pick<ForwardedArtifactRepository, 'channel'>,
    private readonly deliver: Deliver | undefined,
    private readonly previews: Pick<PreviewRepository, 'preview'>,
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

  /** Simulates the last hours for a rule, on or off. @throws AppError NOT_FOUND, BAD_USER_INPUT */
  async preview(ruleId: string, hours: number): Promise<RulePreview> {
    if (!(hours >= 1 && hours <= MAX_HOURS))
      throw new AppError('BAD_USER_INPUT', `hours: expected 1 to ${MAX_HOURS}`)
    const now = currentTime()
    const since = new Date(now.getTime() - hours * HOUR_MS)
    const found = await arrived(() => this.previews.preview(ruleId, since, now))
    if (!found) throw notFound('rule', ruleId)
    const { sent, titles, isCut } = found
    return {
      total: sent.length,
      isCut,
      notifications: sent.slice(-MAX_PREVIEWED).map(({ at, reason, group, changes, open }) => ({
        ...{ at: new Date(at), reason, group, changesTotal: changes.length },
        titles: changes.slice(0, MAX_TITLES).map(({ eventId }) => titles.get(eventId) ?? eventId),
        openTotal: open.length,
      })),
    }
  }

  /** Sends a test once, also while notifications are paused. @throws AppError NOT_FOUND */
  async test(channelId: string): Promise<DeliveryAttempt> {
    const channel = await arrived(async () => {
      const each = await this.artifacts.channel(channelId)
      return each?.isDeleted ? null : each
    })
    if (!channel) throw notFound('channel', channelId)
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
