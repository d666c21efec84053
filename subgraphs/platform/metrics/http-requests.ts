import type { ProcessMetrics } from './process-metrics.ts'

/** Clients can send any method; labels take few values. */
const METHODS: ReadonlySet<string> = new Set([
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
])

export const methodLabel = (method: string): string => (METHODS.has(method) ? method : 'other')

/** Made once for a process. */
export const httpRequests = (metrics: ProcessMetrics) =>
  metrics.histogram({
    name: 'assay_http_request_duration_seconds',
    help: 'Requests over HTTP that were answered, by method, route and status.',
    labels: ['method', 'route', 'status'],
  })
