import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  clusterNameOf,
  startEmbeddedPostgres,
} from '../../../platform/data-dir/embedded-postgres.ts'
import { findProcesses } from '../../../platform/data-dir/postgres-leftovers.ts'
import { startAssay } from '../../support/assay.ts'
import { productKeys } from '../../support/product-keys.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, printSamples } from '../samples.ts'
import { bodies } from './bodies.ts'
import { administer } from './product.ts'

const ROUNDS = 5
const REQUESTS = 200
const EVENTS = 100
const CONNECTIONS = 8
/** Rounds before those that count. */
const WARM_UP = 1

/** PostgreSQL as it comes, but for what must be: each set wins over ours. */
const AS_IT_COMES = {
  shared_buffers: '128MB',
  effective_cache_size: '4GB',
  max_wal_size: '1GB',
  checkpoint_timeout: '5min',
}

const SETS: Readonly<Record<string, Record<string, string>>> = {
  'as PostgreSQL comes': AS_IT_COMES,
  'as Assay sets it': {},
  'the same with a compressed log': { wal_compression: 'pglz' },
}

/**
 * The same events into servers with other settings, in turns. It measures what the machine's other work does not change:
 * processor time of the server and bytes of its log. Each round begins with a checkpoint.
 */
export async function benchSettings(): Promise<void> {
  print(`\n## Settings of PostgreSQL: ${ROUNDS} × ${REQUESTS * EVENTS} events for each, in turns`)
  const sets = await Promise.all(Object.entries(SETS).map(([name, set]) => start(name, set)))
  try {
    for (let round = -WARM_UP; round < ROUNDS; round++)
      for (const set of sets) {
        const sample = await set.run()
        if (round >= 0) set.samples.push(sample)
      }
    for (const { name, samples } of sets) {
      const mean = (of: (sample: Sample) => number) =>
        format(samples.reduce((sum, each) => sum + of(each), 0) / samples.length)
      print(
        `${name}: ${mean(({ us }) => us)} µs of the server's processor time, ${mean(({ bytes }) => bytes)} bytes of log for each event`,
      )
      printSamples(
        '  processor time',
        samples.map(({ us }) => us),
        'µs',
      )
      printSamples(
        '  log',
        samples.map(({ bytes }) => bytes),
        'bytes',
      )
      printSamples(
        '  events per second',
        samples.map(({ rate }) => rate),
        '',
      )
    }
  } finally {
    for (const set of sets) await set.stop()
  }
}

interface Sample {
  us: number
  bytes: number
  rate: number
}

async function start(name: string, settings: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-settings-'))
  const directory = join(folder, 'postgres')
  const log = { info: () => {}, warn: print }
  const server = await startEmbeddedPostgres({ directory, password: 'bench', log, settings })
  const assay = await startAssay({
    mode: 'in-process',
    env: {
      DATABASE_URL: server.url,
      ...productKeys(),
      EXAMPLES: 'false',
      LOG_LEVEL: 'info',
    },
  })
  const clusterName = await clusterNameOf(directory)
  const body = bodies(EVENTS, 5_000)
  const used = async () => {
    const processes = await findProcesses(clusterName)
    return processorMs([Math.min(...processes.map(({ pid }) => pid))])
  }
  const logged = async () => {
    const { rows } = await administer(server.url, `select pg_current_wal_lsn() - '0/0' as bytes`)
    return Number(rows[0]?.bytes)
  }
  return {
    name,
    samples: [] as Sample[],
    async run(): Promise<Sample> {
      await administer(server.url, 'checkpoint')
      const [ms, bytes, began] = [await used(), await logged(), performance.now()]
      await send(`${assay.url}/api/v1/events`, body)
      const seconds = (performance.now() - began) / 1_000
      const events = REQUESTS * EVENTS
      return {
        us: (((await used()) - ms) * 1_000) / events,
        bytes: ((await logged()) - bytes) / events,
        rate: events / seconds,
      }
    },
    async stop() {
      await assay.stop()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function send(url: string, body: () => string): Promise<void> {
  let left = REQUESTS
  const one = async () => {
    while (left-- > 0) {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(url, { method: 'POST', headers, body: body() })
      if (answer.status !== 202) throw new Error(`The product answered ${answer.status}`)
      await answer.text()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
}
