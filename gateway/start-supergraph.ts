import { contextKey } from '../platform/access/caller.ts'
import { OwnTurns } from '../platform/load/load.ts'
import type { Logger } from '../platform/process/logger.ts'
import { withReleasers } from '../platform/process/releasers.ts'
import { traceHeaders } from '../platform/tracing/trace.ts'
import type { FrontConfig, SupergraphConfig } from './config.ts'
import { exactJson } from './exact-json.ts'
import {
  LiveStreams,
  loadRemoteLink,
  openSupergraphFile,
  type SupergraphOptions,
} from './federation/index.ts'
import { type App, serveHttp } from './http/index.ts'
import { createMetrics, type Metrics } from './observability/metrics.ts'
import { measuredLink, operationMetrics } from './observability/observers.ts'
import { tooManyPaths } from './operations/operation-limits.ts'
import { createPlans, type PlansOptions } from './planning/plans.ts'
import { metricsOfAll } from './processes/member.ts'
import type { Member } from './processes/messages.ts'
import { SettledSource } from './settings-file/settled-source.ts'

/** The gateway alone, in front of a supergraph of others. It needs nothing of ours, and none of them to be up. */
export const startSupergraph = (
  config: SupergraphConfig,
  log: Logger,
  member?: Member,
): Promise<App> =>
  withReleasers(async (releasers) => {
    const remoteLink = await loadRemoteLink()
    const metrics = createMetrics()
    const source = new SettledSource({
      ...config,
      log,
      linkTo: (subgraph, settings) =>
        measuredLink(
          remoteLink({
            ...subgraph,
            ...settings,
            maxBody: config.rules.limits.OPERATION_MAX_RESPONSE,
            json: exactJson,
            headers: traceHeaders,
          }),
          metrics,
        ),
    })
    const supergraph = await openSupergraphFile(
      {
        source,
        ...supergraphOptions(config, metrics, log, { isForeign: true }),
      },
      log,
    )
    releasers.defer(() => supergraph.stop())
    const reload = () => void supergraph.reload()
    process.on('SIGHUP', reload)
    releasers.defer(() => process.off('SIGHUP', reload))
    return serveHttp(config, {
      supergraph,
      links: () => supergraph.links(),
      forwarded: () => source.forwarded(),
      log,
      releasers,
      metrics,
      metricsText: member && metricsOfAll(metrics.registry, member),
    })
  })

/** Options of federation from the rest of the product. */
export const supergraphOptions = (
  config: Pick<FrontConfig, 'planCacheSize' | 'maxPaths' | 'planMs' | 'streams' | 'http' | 'rules'>,
  metrics: Metrics,
  log: Logger,
  planning: PlansOptions,
): SupergraphOptions => ({
  planCacheSize: config.planCacheSize,
  maxPaths: config.maxPaths,
  maxQueries: config.http.queries,
  maxResponse: config.rules.limits.OPERATION_MAX_RESPONSE,
  tooManyPaths,
  plansFor: (sdl, planner) => createPlans(sdl, planner, { ...config, ...planning }),
  json: exactJson,
  observer: operationMetrics(metrics),
  streams: new LiveStreams(log, config.streams),
  turns: new OwnTurns(),
  contextKey,
})
