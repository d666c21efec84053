import type { Queue } from 'pg-boss'
import type { SubgraphDeps } from '../../../platform/subgraph/subgraph.ts'
import type { AuditRepository } from './audit.repository.ts'

const DAY_MS = 86_400_000
const BATCH = 1_000

/** Every hour; one at a time, as the next is due anyway. */
const SCHEDULE = '41 * * * *'
export const PRUNE_AUDIT: Queue = {
  name: 'prune-audit',
  policy: 'exclusive',
  retryLimit: 0,
  expireInSeconds: 3_600,
}

/** Deletes entries that are old enough, until the jobs are stopped. */
export const serveAuditRetention = (
  entries: AuditRepository,
  { jobs, log }: Pick<SubgraphDeps, 'jobs' | 'log'>,
  retentionDays: number,
): Promise<void> =>
  jobs.schedule(PRUNE_AUDIT, SCHEDULE, async ({ signal }) => {
    const before = new Date(Date.now() - retentionDays * DAY_MS)
    let deleted = 0
    for (let pruned = BATCH; pruned === BATCH && !signal.aborted; deleted += pruned)
      pruned = await entries.prune(before, BATCH)
    if (deleted > 0) log.info({ deleted, before }, 'Old entries of the audit log were deleted')
  })
