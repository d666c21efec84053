import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import { RateLimiterClusterMaster } from 'rate-limiter-flexible'
import type { Logger } from '../../platform/process/logger.ts'
import type { AllInOneConfig } from '../config.ts'
import type { Database } from '../database.ts'
import type { App } from '../http/index.ts'
import { isOf, type MetricsOfAll, type Ready, type Start } from './messages.ts'

/** Between the end of a process during its start and the next try. */
const RESTART_MS = 1_000

/**
 * Starts the product, or a gateway alone, in several processes with all parts each, on one port and one database. A process
 * that ends is started again. @param file the supergraph of a gateway alone
 * @throws Error where one ends during the first start
 */
export async function startProcesses(
  { processes: count, tls, file }: Pick<AllInOneConfig, 'processes' | 'tls'> & { file?: string },
  log: Logger,
  database?: Database,
): Promise<App> {
  gatherMetrics()
  const processes = new Processes(log, database)
  // Each reads its certificate and its supergraph again.
  if (tls || file !== undefined) process.on('SIGHUP', () => processes.reload())
  const stop = () => processes.stop()
  try {
    // The first one migrates the tables and fills an empty store.
    const { url } = await processes.start(1)
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => processes.start(index + 2)))
    return { url, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Counters of rate limits and metrics of all processes meet here. */
function gatherMetrics(): void {
  new RateLimiterClusterMaster()
  const registry = new AggregatorRegistry()
  cluster.on('message', async (worker, message: unknown) => {
    if (!isOf<MetricsOfAll>('assay:metrics', message)) return
    const text = await registry.clusterMetrics().catch(() => undefined)
    if (worker.isConnected()) worker.send({ ...message, ...(text !== undefined && { text }) })
  })
}

/** By number, from 1 on. */
class Processes {
  readonly #running = new Map<number, Worker>()
  #sandbox: Ready['sandbox']
  #isStopping = false

  constructor(
    private readonly log: Logger,
    private readonly database: Database | undefined,
  ) {}

  async start(number: number): Promise<Ready> {
    const worker = cluster.fork()
    // Messages to a process that ends meanwhile are lost, as its requests are.
    worker.on('error', () => {})
    this.#running.set(number, worker)
    const database = this.database && { ...this.database, stop: undefined } // a function cannot be sent
    const start: Start = { type: 'assay:start', number, database, sandbox: this.#sandbox }
    worker.send(start)
    const ready = await readyOf(worker, number)
    this.#sandbox ??= ready.sandbox
    worker.once('exit', (code, signal) => {
      if (this.#isStopping) return
      this.log.error({ process: number, ended: signal ?? code }, 'Process ended; starting it again')
      void this.#restart(number)
    })
    return ready
  }

  async #restart(number: number): Promise<void> {
    try {
      await this.start(number)
      this.log.info({ process: number }, 'Process started again')
    } catch (error) {
      if (this.#isStopping) return
      this.log.error({ process: number, err: error }, 'Process not started; trying again')
      await delay(RESTART_MS)
      if (!this.#isStopping) await this.#restart(number)
    }
  }

  reload(): void {
    for (const worker of this.#running.values()) worker.process.kill('SIGHUP')
  }

  /** Stops the database, too. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all(
      [...this.#running.values()].map(async (worker) => {
        if (worker.isDead()) return
        const ended = once(worker, 'exit')
        worker.process.kill('SIGTERM')
        await ended
      }),
    )
    await this.database?.stop()
  }
}

/** @throws Error when it ends before; it has written why */
async function readyOf(worker: Worker, number: number): Promise<Ready> {
  const { promise, resolve, reject } = Promise.withResolvers<Ready>()
  const ended = (code: number, signal: string | null) =>
    reject(new Error(`Process ${number} ended during its start (${signal ?? `exit code ${code}`})`))
  const heard = (message: unknown) => {
    if (isOf<Ready>('assay:ready', message)) resolve(message)
  }
  worker.on('message', heard).once('exit', ended)
  try {
    return await promise
  } finally {
    worker.off('message', heard).off('exit', ended)
  }
}
