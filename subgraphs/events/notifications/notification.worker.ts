import type { DeliveryStep } from '../../../platform/deliveries/delivery.ts'
import { stepAfter } from '../../../platform/deliveries/schedule.ts'
import type { Job } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { ForwardedArtifactRepository } from './artifact.repository.ts'
import type { Deliver } from './deliver.ts'
import { LOST_NOTIFICATIONS, NOTIFICATION, type NotificationJob } from './notification.queue.ts'
import type { NotificationRepository, StoredNotification } from './notification.repository.ts'
import type { NotifierRepository } from './notifier.repository.ts'
import type { Notifier } from './notifier.ts'

export interface NotificationWorkerDeps {
  notifications: NotificationRepository
  artifacts: Pick<ForwardedArtifactRepository, 'channel'>
  passes: Pick<NotifierRepository, 'addLater'>
  notifier: Pick<Notifier, 'wake'>
  deliver: Deliver
  jobs: Jobs
  log: Logger
  /** See RETRY_AFTER_MS. */
  schedule?: readonly number[] | undefined
}

/** Attempts at a time, and those of one channel: a slow one leaves room. Those of a group follow each other anyway. */
const SLOTS = 6
const PER_CHANNEL = 2
const EVERY_FIVE_MINUTES = '*/5 * * * *'

/** Delivers notifications until the jobs are stopped. */
export async function serveNotifications(deps: NotificationWorkerDeps): Promise<void> {
  const { jobs } = deps
  await jobs.work<NotificationJob>(NOTIFICATION, SLOTS, (job) => attempt(deps, job), {
    perGroup: PER_CHANNEL,
  })
  await jobs.schedule(LOST_NOTIFICATIONS, EVERY_FIVE_MINUTES, () => endLost(deps))
}

async function attempt(
  deps: NotificationWorkerDeps,
  { data, signal }: Job<NotificationJob>,
): Promise<void> {
  const { notifications, artifacts, passes, notifier, deliver, schedule } = deps
  const due = await notifications.due(data)
  if (!due) return
  const changed = isNew(due) ? await passes.addLater(due, currentTime()) : null
  const notification = { ...due, ...changed }
  const tried = await deliver(await artifacts.channel(due.channelId), notification, signal)
  const failedBefore = due.attempts.length - due.earlierAttempts
  const { attempt: made, recipients, ...facts } = tried
  const step = stepAfter(made, failedBefore, currentTime(), { ...facts, schedule })
  if (!(await notifications.record(notification, made, step, recipients))) return
  report(deps.log, notification, { ...made, ...step })
  if (step.state !== 'PENDING') notifier.wake()
}

/**
 * True if no attempt can have reached its receiver, so that it may become another message. A refusal is none; a lost
 * connection may be one.
 */
const isNew = ({ attempts }: StoredNotification): boolean =>
  attempts.length > 0 &&
  attempts.every(({ status, isUnsent }) => isUnsent || (status !== null && status >= 300))

const LOST = 'The queue has lost its job, so no attempt follows: deliver it again'

/** Ends notifications that no job delivers. */
async function endLost({ notifications, log }: NotificationWorkerDeps): Promise<void> {
  for (const lost of await notifications.lost()) {
    const started = currentTime().toISOString()
    const made = { started, status: null, error: LOST, durationMs: 0 }
    const step: DeliveryStep = { state: 'DEAD', nextAttemptAt: null }
    if (await notifications.record(lost, made, step)) report(log, lost, { ...made, ...step })
  }
}

function report(
  log: Logger,
  { id: notificationId, ruleId, channelId }: StoredNotification,
  facts: DeliveryStep & object,
): void {
  const all = { notificationId, ruleId, channelId, ...facts }
  if (facts.state === 'DELIVERED') log.info(all, 'Notification delivered')
  else log.warn(all, 'Notification not delivered')
}
