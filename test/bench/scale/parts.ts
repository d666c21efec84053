import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../../platform/data-dir/embedded-postgres.ts'
import { addressOf, ENTRY, type ProcessName } from '../../support/assay.ts'
import { type ProductProcess, spawnProduct } from '../../support/product-process.ts'
import { partsEnv } from '../parts-env.ts'
import { print } from '../samples.ts'

/** The product with a process for each part. */
export interface Parts {
  /** Address of the gateway. */
  url: string
  databaseUrl: string
  /** By name, the database included. */
  pids: Readonly<Record<string, number>>
  stop(): Promise<void>
}

const BEHIND = ['events', 'test-execution', 'accounts', 'worker'] as const

export async function startParts(): Promise<Parts> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-parts-'))
  const directory = join(folder, 'postgres')
  const log = { info: () => {}, warn: print }
  const server = await startEmbeddedPostgres({ directory, password: 'bench', log })
  const env = partsEnv(server.url)
  const processes = new Map<ProcessName, ProductProcess>()
  const start = async (name: ProcessName): Promise<string> => {
    const process = spawnProduct(name, ENTRY[name], env, folder)
    processes.set(name, process)
    return (await addressOf(process)) ?? ''
  }
  const [events = '', testExecution = '', accounts = ''] = await Promise.all(BEHIND.map(start))
  Object.assign(env, {
    EVENTS_URL: events,
    TEST_EXECUTION_URL: testExecution,
    ACCOUNTS_URL: accounts,
  })
  const url = await start('gateway')
  const postmaster = await readFile(join(directory, 'postmaster.pid'), 'utf8')
  return {
    url,
    databaseUrl: server.url,
    pids: {
      ...Object.fromEntries([...processes].map(([name, { pid }]) => [name, pid])),
      database: Number.parseInt(postmaster, 10),
    },
    async stop() {
      for (const each of [...processes.values()].reverse()) {
        each.signal('SIGTERM')
        await each.exited
      }
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
