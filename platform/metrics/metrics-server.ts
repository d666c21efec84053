import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { GracePeriod } from '../process/grace-period.ts'
import type { Logger } from '../process/logger.ts'
import { CLOSABLE, closeGracefully } from '../subgraph/close-gracefully.ts'
import type { ProcessMetrics } from './process-metrics.ts'

export interface MetricsServerOptions {
  host: string
  port: number
  metrics: ProcessMetrics
  /** Resolves with true if the process can do its work. It may reject. */
  isReady(): Promise<boolean>
  log: Logger
}

/** Time to wait for readiness. */
const PATIENCE_MS = 2_000

/** Serves `/metrics`, `/healthz` and `/readyz` to operators, on a port of its own and without a sign-in. */
export async function serveMetrics({
  host,
  port,
  metrics: { registry },
  isReady,
  log,
}: MetricsServerOptions): Promise<{ stop(grace?: GracePeriod): Promise<void> }> {
  const pages: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    '/metrics': async (response) =>
      response.setHeader('Content-Type', registry.contentType).end(await registry.metrics()),
    '/healthz': (response) => json(response, 200, { status: 'ok' }),
    async '/readyz'(response) {
      const late = delay(PATIENCE_MS, false, { ref: false })
      const ready = await Promise.race([isReady().catch(() => false), late])
      json(response, ready ? 200 : 503, { status: ready ? 'ok' : 'unavailable' })
    },
  }
  const http = createServer(CLOSABLE, async ({ url = '' }, response) => {
    response.setHeader('Cache-Control', 'no-store')
    const page = pages[url.split('?', 1)[0] ?? '']
    try {
      if (page) await page(response)
      else json(response, 404, { status: 'There is /metrics, /healthz and /readyz' })
    } catch (err) {
      log.error({ err }, 'Metrics could not be served')
      response.destroy()
    }
  })
  http.listen(port, host)
  await once(http, 'listening')
  const { port: actual } = http.address() as AddressInfo
  const at = host.includes(':') ? `[${host}]` : host
  log.info({ url: `http://${at}:${actual}/metrics` }, 'Metrics are served')
  return { stop: (grace) => closeGracefully(http, grace) }
}

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
