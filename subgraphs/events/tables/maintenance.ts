import { currentTime } from '../../platform/process/clock.ts'
import type { Logger } from '../../platform/process/logger.ts'
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
  { retentionDays, statusRetentionDays, eventRetentionDays }: EventsSettings,
  log: Logger,
): Promise<() => void> {
  const run = async (now: Date) => {
    await partitions.ensure(now)
    const dropped = await partitions.dropOlderThan(retentionDays, now)
    await retention.forgetAnswers(now)
    // Streams go on behind both, so neither may have a gap where the other has none.
    const days = Math.max(statusRetentionDays, retentionDays)
    await retention.forgetStatusChanges(days, now)
    await retention.forgetExecutions(days, now)
    await retention.forgetEvents(Math.max(eventRetentionDays, days), now)
    if (dropped.length > 0)
      log.info({ dropped }, 'Raw events older than the retention time dropped')
  }
  await run(currentTime())
  const timer = setInterval(() => {
    run(currentTime()).catch((error) =>
      log.error({ err: error }, 'The upkeep of raw events failed; it is tried again in an hour'),
    )
  }, HOUR_MS)
  timer.unref()
  return () => clearInterval(timer)
}
