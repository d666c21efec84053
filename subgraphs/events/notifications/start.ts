import type { Orm } from '../../../platform/database/orm.ts'
import { ARTIFACT_STORED, type ArtifactStored } from '../../../platform/jobs/artifact-stored.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { TRIGGER_FIRED } from '../../../platform/jobs/trigger-fired.ts'
import type { ProcessMetrics } from '../../../platform/metrics/process-metrics.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { Releasers } from '../../../platform/process/releasers.ts'
import type { PubSub } from '../../../platform/pub-sub/pub-sub.ts'
import type { EventsSettings } from '../settings.ts'
import { LowerCaseRepository } from '../stream/lower-case.repository.ts'
import { ForwardedArtifactRepository } from './artifact.repository.ts'
import { createDeliver, type DeliveryMeans } from './deliver.ts'
import { NOTIFICATION } from './notification.queue.ts'
import { NotificationRepository } from './notification.repository.ts'
import { NotificationService } from './notification.service.ts'
import { serveNotifications } from './notification.worker.ts'
import { NotifierRepository } from './notifier.repository.ts'
import { Notifier } from './notifier.ts'
import { PreviewRepository } from './preview.repository.ts'
import { SilencedRepository } from './silenced.repository.ts'

export interface Notifications {
  notifier: Notifier
  service: NotificationService
  silenced: SilencedRepository
  /** Why nothing is sent: NOTIFICATIONS, or a restored backup; null while all is. */
  pausedBy: string | null
}

interface NotificationDeps {
  jobs: Jobs
  pubSub: PubSub
  log: Logger
  releasers: Releasers
  metrics: ProcessMetrics
  delivery: DeliveryMeans | undefined
}

const LEFT = {
  name: 'assay_notifications',
  help: 'Notifications in the database that are not delivered.',
  labels: ['state'],
}

const SETTING = 'NOTIFICATIONS is paused'
const RESTORED = 'The store was restored from a backup: start once with NOTIFICATIONS=on'

/** Takes rules over, has changes judged by them, and delivers what follows. */
export async function startNotifications(
  orm: Orm,
  settings: EventsSettings,
  { jobs, pubSub, log, releasers, metrics, delivery }: NotificationDeps,
): Promise<Notifications> {
  const artifacts = new ForwardedArtifactRepository(orm)
  if (settings.notifications === 'on') await artifacts.endPause()
  const isSet = settings.notifications === 'paused'
  const pausedBy = isSet ? SETTING : (await artifacts.isPaused()) ? RESTORED : null
  const isPaused = pausedBy !== null
  if (isPaused)
    log.warn('Notifications paused: nothing is sent until a start with NOTIFICATIONS=on')
  const lowerCase = new LowerCaseRepository(orm)
  const previews = new PreviewRepository(orm, artifacts, lowerCase, settings.queryTimeoutMs)
  const passes = new NotifierRepository(orm, jobs, artifacts, lowerCase, {
    groups: settings.notificationGroups,
    perMinute: settings.notificationsPerMinute,
  })
  const notifier = new Notifier(passes, artifacts, pubSub, log, !isPaused)
  const notifications = new NotificationRepository(orm, jobs)
  metrics.watch(LEFT, async () =>
    (await notifications.counts()).map(({ state, count }) => ({
      labels: { state: state.toLowerCase() },
      value: count,
    })),
  )
  const deliver = delivery && createDeliver({ ...delivery, publicUrl: settings.publicUrl }, log)
  await jobs.declare(NOTIFICATION)
  await jobs.declare(TRIGGER_FIRED)
  await notifier.start()
  releasers.defer(() => notifier.stop())
  await jobs.work<ArtifactStored>(ARTIFACT_STORED, 1, ({ data }) => notifier.store(data))
  if (deliver && !isPaused)
    await serveNotifications({ notifications, artifacts, passes, notifier, deliver, jobs, log })
  return {
    notifier,
    pausedBy,
    silenced: new SilencedRepository(orm, artifacts, lowerCase, settings.queryTimeoutMs),
    service: new NotificationService(notifications, artifacts, deliver, previews),
  }
}
