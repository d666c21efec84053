import type { Jobs } from '../../../../platform/jobs/jobs.ts'
import type { Logger } from '../../../../platform/process/logger.ts'
import type { RetentionSettings } from '../../../../platform/settings/variables.ts'
import { PRUNE_DETAILS } from '../execution.ts'
import type { RetentionRepository } from './retention.repository.ts'

const DAY_MS = 86_400_000

/** Deletes details that are old enough, and idempotency keys, whenever the schedule says so, until the jobs are stopped. */
export const serveRetention = (
  repository: RetentionRepository,
  jobs: Jobs,
  settings: RetentionSettings,
  log: Logger,
): Promise<void> =>
  jobs.schedule(PRUNE_DETAILS, settings.DETAILS_RETENTION_SCHEDULE, async ({ signal }) => {
    const endedBefore = new Date(Date.now() - settings.DETAILS_RETENTION_DAYS * DAY_MS)
    const batch = settings.DETAILS_RETENTION_BATCH
    let executions = 0
    for (let pruned = batch; pruned === batch && !signal.aborted; executions += pruned)
      pruned = await repository.prune(endedBefore, batch)
    await repository.forgetVerdicts(endedBefore)
    await repository.forgetKeys()
    if (executions > 0) log.info({ executions, endedBefore }, 'Details were deleted')
  })
