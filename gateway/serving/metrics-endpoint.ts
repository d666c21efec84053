import type { RequestHandler } from 'express'
import { requirePermission } from '../../subgraphs/shared/access/require-permission.ts'
import type { Metrics } from '../observability/metrics.ts'
import { callerOf } from './caller-of.ts'

/** Serves the metrics to whoever may read executions. They tell how much is done, and nothing of its content. */
export const serveMetrics =
  ({ registry }: Metrics): RequestHandler =>
  async (request, response) => {
    requirePermission(callerOf(request), 'executions:read')
    response.set('Cache-Control', 'no-store').type(registry.contentType)
    response.send(await registry.metrics())
  }
