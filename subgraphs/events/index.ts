import { parseExact } from '../../formats/json/json.ts'
import { closeOrm, ormOptions, startOrm } from '../../platform/database/orm.ts'
import { EXECUTION_ENDED, type ExecutionEnded } from '../../platform/jobs/execution-ended.ts'
import type { Job } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { OWN_EVENT, type OwnEvent } from '../../platform/jobs/own-event.ts'
import { watchHorizon } from '../../platform/metrics/horizon-metrics.ts'
import { ProcessMetrics } from '../../platform/metrics/process-metrics.ts'
import { watchPool } from '../../platform/metrics/shared-metrics.ts'
import { HorizonRepository } from '../../platform/position/horizon.repository.ts'
import { currentTime } from '../../platform/process/clock.ts'
import type { Logger } from '../../platform/process/logger.ts'
import { Releasers, withReleasers } from '../../platform/process/releasers.ts'
import { buildSubgraph, subgraphSdl } from '../../platform/subgraph/build-subgraph.ts'
import type { Subgraph, SubgraphDeps } from '../../platform/subgraph/subgraph.ts'
import { HeartbeatRepository } from './heartbeats/heartbeat.repository.ts'
import { HeartbeatWatch } from './heartbeats/heartbeat-watch.ts'
import { executionBatch, ownBatch } from './ingestion/execution-event.ts'
import { ingestionMetrics, type Store } from './ingestion/ingestion.service.ts'
import { ResolveAfterRepository } from './ingestion/resolve-after.repository.ts'
import { startResolving } from './ingestion/resolve-after.ts'
import { limited, startStore, WakeUps } from './ingestion/store.ts'
import type { DeliveryMeans } from './notifications/deliver.ts'
import { startNotifications } from './notifications/start.ts'
import { createResolvers, type Services } from './resolvers.ts'
import { DEFAULT_SETTINGS, type EventsSettings } from './settings.ts'
import { STORAGE } from './storage.ts'
import { startMaintenance } from './tables/maintenance.ts'
import { PartitionRepository } from './tables/partition.repository.ts'
import { RetentionRepository } from './tables/retention.repository.ts'

export { STORAGE }

/** Their events share a transaction. */
const EXECUTIONS_AT_ONCE = 100

const HEARTBEATS = {
  name: 'assay_heartbeats_missing',
  help: 'Heartbeats in the database that are overdue.',
}

/** SDL that this subgraph publishes. Resolvers are only looked at, so they need no database. */
export const eventsSdl = (): Promise<string> =>
  subgraphSdl(
    createResolvers({
      ...{ settings: DEFAULT_SETTINGS, releasers: new Releasers(), notifications: {} },
    } as Services).resolvers,
  )

export interface EventsDeps extends SubgraphDeps {
  /** Without it, notifications wait for a process that delivers them. */
  delivery?: DeliveryMeans | undefined
}

/** The events subgraph: ingestion, de-duplication and reading, and the events of ended executions. */
export const startEvents = (
  { jobs, pubSub, log, metrics = new ProcessMetrics(), ...deps }: EventsDeps,
  chosen: Partial<EventsSettings> = {},
): Promise<Subgraph & { facts(): object }> =>
  withReleasers(async (releasers) => {
    const settings = { ...DEFAULT_SETTINGS, ...chosen }
    const orm = await startOrm({ ...ormOptions(deps), log, ...STORAGE, parseJsonb: parseExact })
    releasers.defer(() => closeOrm(orm))
    watchPool(metrics, 'events', orm.em)
    const counts = ingestionMetrics(metrics)

    const partitions = new PartitionRepository(orm)
    const retention = new RetentionRepository(orm)
    releasers.defer(await startMaintenance(partitions, retention, settings, log))

    const wakeUps = new WakeUps(pubSub)
    releasers.defer(() => wakeUps.stop())

    const horizon = new HorizonRepository(orm.em, 'events', log)
    watchHorizon(metrics, 'events', horizon)
    const notifications = await startNotifications(orm, settings, {
      ...{ jobs, pubSub, log, releasers, metrics },
      delivery: deps.delivery,
    })
    const parts = {
      orm,
      settings,
      horizon,
      notifications,
      wakeUps,
      counts,
      metrics,
      log,
      releasers,
    }
    const { store, lag } = startStore(parts)
    await serveJobs(jobs, store, log)
    const { resolveAfter } = settings
    if (resolveAfter) {
      const stale = new ResolveAfterRepository(orm, notifications.notifier, resolveAfter)
      const announce = () => {
        wakeUps.announce()
        notifications.notifier.wakeIfOn()
      }
      releasers.defer(startResolving(stale, announce, log))
    }
    const heartbeats = new HeartbeatRepository(orm, jobs)
    metrics.watch(HEARTBEATS, async () => [{ labels: {}, value: await heartbeats.countMissing() }])
    const watch = new HeartbeatWatch(heartbeats, log)
    releasers.defer(() => watch.stop())
    watch.start()
    const schema = await buildSubgraph(
      createResolvers({
        ...{ orm, counts, settings, wakeUps, horizon, releasers, notifications, heartbeats },
        store: limited(store, lag),
      }),
    )
    const facts = () => (notifications.pausedBy === null ? {} : { notifications: 'paused' })
    return { schema, takesExactNumbers: true, facts, stop: () => releasers.release() }
  })

/** Stores the events of ended executions, and of the product itself. */
async function serveJobs(jobs: Jobs, store: Store, log: Logger): Promise<void> {
  const count = async ({ data }: Job<ExecutionEnded>) => {
    await store.submit(executionBatch(data, currentTime()))
    const { requestId, executionId } = data
    log.debug({ requestId, executionId }, 'Execution counted')
  }
  await jobs.work(EXECUTION_ENDED, 1, count, { batchSize: EXECUTIONS_AT_ONCE })
  const note = async ({ data }: Job<OwnEvent>) => {
    await store.submit(ownBatch(data, currentTime()))
  }
  await jobs.work(OWN_EVENT, 1, note)
}
