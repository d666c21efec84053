import { listsOf } from '../database/lists.repository.ts'
import { poolOf } from '../database/orm.ts'
import type { Jobs } from '../jobs/jobs.ts'

import type { ProcessMetrics } from './process-metrics.ts'

/** Shows the queues of the database: they are the same in every process. */
export function watchQueues(metrics: ProcessMetrics, jobs: Pick<Jobs, 'sizes' | 'ages'>): void {
  metrics.watch(
    {
      name: 'assay_queue_jobs',
      help: 'Jobs in the queues of the database, by queue and state (ready, active, failed).',
      labels: ['queue', 'state'],
    },
    async () =>
      (await jobs.sizes()).flatMap(({ queue, ready, active, failed }) => [
        { labels: { queue, state: 'ready' }, value: ready },
        { labels: { queue, state: 'active' }, value: active },
        { labels: { queue, state: 'failed' }, value: failed },
      ]),
  )
  metrics.watch(
    {
      name: 'assay_queue_oldest_job_age_seconds',
      help: 'For how long the oldest job that is due has waited, by queue; 0 where none waits.',
      labels: ['queue'],
    },
    async () =>
      (await jobs.ages()).map(({ queue, seconds }) => ({ labels: { queue }, value: seconds })),
  )
}

/** Shows the connections of a pool. @param pool names it */
export function watchPool(
  metrics: ProcessMetrics,
  pool: string,
  em: Parameters<typeof poolOf>[0],
): void {
  metrics.watch(
    {
      name: 'assay_database_connections',
      help: 'Connections to the database, by pool and state (used, idle).',
      labels: ['pool', 'state'],
    },
    async () => {
      const { totalCount, idleCount } = poolOf(em)
      return [
        { labels: { pool, state: 'used' }, value: totalCount - idleCount },
        { labels: { pool, state: 'idle' }, value: idleCount },
      ]
    },
  )
  metrics.watch(
    {
      name: 'assay_database_waiting_requests',
      help: 'Requests that wait for a connection to the database, by pool.',
      labels: ['pool'],
    },
    async () => [{ labels: { pool }, value: poolOf(em).waitingCount }],
  )
  metrics.watch(
    {
      name: 'assay_list_reads',
      help: 'Lists and statistics that were read since the start, by pool and server (primary, replica).',
      labels: ['pool', 'server'],
    },
    async () =>
      Object.entries(listsOf(em).counts).map(([server, value]) => ({
        labels: { pool, server },
        value,
      })),
  )
}
