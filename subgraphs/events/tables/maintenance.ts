import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { EventsSettings } from '../settings.ts'
import type { PartitionRepository } from './partition.repository.ts'
import type { RetentionRepository } from './retention.repository.ts'

const HOUR_MS = 3_600_000

/**
 * Keeps days of raw events ready ahead and removes expired rows: at once, then every hour, so that a missed hour
 * does no harm for a week. Several processes may do it.
 * @returns ends it
 */
export async function startMaintenance(
  partitions: PartitionRepository,
  retention: RetentionRepository,
  {
    retentionDays,
    statusRetentionDays,
    eventRetentionDays,
    notificationRetentionDays,
  }: EventsSettings,
  log: Logger,
): Promise<() => void> {
  // Streams go on behind both, so neither may have a gap where the other has none.
  const days = Math.max(statusRetentionDays, retentionDays)
  const drop = async (now: Date) => {
    const dropped = await partitions.dropOlderThan(retentionDays, now)
    if (dropped.length > 0)
      log.info({ dropped }, 'Raw events older than the retention time dropped')
  }
  const steps: ((now: Date) => Promise<unknown>)[] = [
    drop,
    (now) => retention.forgetAnswers(now),
    (now) => retention.forgetKnownOccurrences(now),
    (now) => retention.forgetStatusChanges(days, now),
    (now) => retention.forgetExecutions(days, now),
    (now) => retention.forgetNotifications(notificationRetentionDays, now),
    (now) => retention.forgetArtifacts(now),
    (now) => retention.forgetEvents(Math.max(eventRetentionDays, days), now),
  ]
  const failed = (error: unknown) =>
    log.error({ err: error }, 'The upkeep of raw events failed; it is tried again in an hour')
  /** A backup that reads a day keeps it from being dropped: neither the start nor the other steps wait for it. */
  const tidy = async (now: Date) => {
    for (const step of steps) await step(now).catch(failed)
  }
  await partitions.ensure(currentTime())
  await tidy(currentTime())
  const timer = setInterval(async () => {
    await partitions.ensure(currentTime()).catch(failed)
    await tidy(currentTime())
  }, HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
