import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Seen } from './prober.ts'

/** Watches a product from outside. */
export interface Probe {
  /** Observations since the last call. */
  seen(): Promise<Seen>
  stop(): void
}

const start = (...args: string[]): ChildProcess =>
  fork(join(import.meta.dirname, 'prober.ts'), args, { execArgv: [] })

/** @param url of the product @param pid of the process that answers */
export async function startProbe(url: string, pid: number): Promise<Probe> {
  const control = start()
  const [port] = await once(control, 'message')
  const prober = start(`${url}/healthz`, `http://127.0.0.1:${port}/`, String(pid))
  async function seen(): Promise<Seen> {
    prober.send('report')
    const [report] = await once(prober, 'message')
    return report as Seen
  }
  await seen()
  return {
    seen,
    stop() {
      prober.kill()
      control.kill()
    },
  }
}
