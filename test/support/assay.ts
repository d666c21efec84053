import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { createMigratedDatabase } from './database.ts'
import { descendantsOf, type SeenProcess, survivorsOf } from './process-tree.ts'
import { productKeys } from './product-keys.ts'
import { type Exit, type ProductProcess, spawnProduct } from './product-process.ts'
import { copyStartedData } from './started-data.ts'

/** Everything in one process on an embedded database, or a process for each part on a given one. */
export type Mode = 'in-process' | 'distributed'

export type ProcessName = 'server' | 'events' | 'test-execution' | 'accounts' | 'worker' | 'gateway'

/** The product, running as its users run it: built, in processes of its own, reached over the wire. */
export interface Assay {
  /** Address for clients, such as http://127.0.0.1:4000; a restart keeps it. */
  url: string
  mode: Mode
  /** The processes that run now. */
  pids: Readonly<Record<string, number>>
  /** Processes by their task, so that a test need not know the mode. */
  parts: Record<'gateway' | 'testExecution' | 'runner' | 'events', ProcessName>
  /** The addresses of stand-alone subgraphs, and what signs the caller for them; empty in one process. */
  subgraphs: { urls: string[]; internalSecret: string }
  /** The variables that its processes were started with, to start another one beside them. */
  env: Readonly<Record<string, string>>
  /** The processes of components that run right now; those that are merely ready are none. */
  sandboxes(): Promise<SeenProcess[]>
  /** Sends a signal and waits for the end. */
  kill(name: ProcessName, signal: NodeJS.Signals): Promise<Exit>
  /** Starts a process that has ended, with the same settings and address. */
  restart(name: ProcessName): Promise<void>
  /** Waits for something that a running process writes or wrote. */
  says(name: ProcessName, pattern: RegExp): Promise<unknown>
  /** Output of a process, earlier runs included; without a name, that of all. */
  logs(name?: ProcessName): string
  /** Ends it as an operator does. @throws unless every process exits with 0 in time and none is left */
  stop(): Promise<void>
}

export interface AssayOptions {
  /** Default: what the Jest project is configured for, else in-process. */
  mode?: Mode
  /** Variables for every process. */
  env?: Record<string, string>
  /** Folder that `npm run build` made; default: of this checkout. */
  dist?: string
  /** True if a product in one process starts on a store of a product that stopped; default: where no variables say otherwise. */
  startedBefore?: boolean
}

declare global {
  /** Set by the Jest project. */
  var assayMode: Mode | undefined
}

export const modeOfProject = (): Mode => globalThis.assayMode ?? 'in-process'

/** The stop timeout that the documents recommend. */
const STOP_MS = 40_000
/** Name of a component's process as soon as it has code. */
export const IN_USE = 'sandbox in use'

/** File below `dist`, then its arguments. */
export const ENTRY: Readonly<Record<ProcessName, readonly string[]>> = {
  server: ['gateway.js'],
  events: ['events.js'],
  'test-execution': ['test-execution.js'],
  accounts: ['accounts.js'],
  worker: ['worker.js'],
  gateway: ['gateway.js', '--remote'],
}

const portFor = async (given = '0') => (given === '0' ? freePort() : given)

/** Variables that decide the content of the store. */
const STORE_VARIABLES = ['DATA_DIR', 'DATABASE_URL', 'EXAMPLES']

async function startOnce(dataDir: string): Promise<void> {
  const assay = await startAssay({ mode: 'in-process', env: { DATA_DIR: dataDir } })
  await assay.stop()
}

/** Starts the product on a store that holds the examples, and waits until it serves. */
export async function startAssay({
  mode = modeOfProject(),
  env: given = {},
  dist,
  startedBefore = !STORE_VARIABLES.some((name) => name in given) && dist === undefined,
}: AssayOptions = {}): Promise<Assay> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-e2e-'))
  const database = mode === 'distributed' ? await createMigratedDatabase() : null
  const env: Record<string, string> = {
    PORT: '0',
    LOG_LEVEL: 'debug',
    SANDBOX: 'best-effort',
    ...(database
      ? {
          DATABASE_URL: database.url,
          ...productKeys(),
          INTERNAL_SECRET: randomBytes(32).toString('base64'),
        }
      : { DATA_DIR: join(folder, 'data') }),
    ...given,
  }
  const running = new Map<ProcessName, ProductProcess>()
  const urls = new Map<ProcessName, string>()
  const ended: ProductProcess[] = []
  const known: SeenProcess[] = []

  async function start(name: ProcessName): Promise<void> {
    const before = urls.get(name)
    // One that no connection gets while the process is away.
    const port = before ? new URL(before).port : String(await portFor(env.PORT))
    const process = spawnProduct(name, ENTRY[name], { ...env, PORT: port }, folder, dist)
    running.set(name, process)
    const url = await addressOf(process)
    if (url) urls.set(name, url)
  }

  function the(name: ProcessName): ProductProcess {
    const process = running.get(name)
    if (!process) throw new Error(`${name} does not run`)
    return process
  }

  async function end(name: ProcessName, signal: NodeJS.Signals): Promise<Exit> {
    const process = the(name)
    if (!process.isRunning()) {
      running.delete(name)
      throw new Error(`${name} had ended before it was asked to:\n${lastWords(process)}`)
    }
    known.push(...(await descendantsOf([process.pid])))
    process.signal(signal)
    const exit = await Promise.race([process.exited, delay(STOP_MS, null, { ref: false })])
    running.delete(name)
    ended.push(process)
    if (exit) return exit
    process.signal('SIGKILL')
    throw new Error(`${name} did not end within ${STOP_MS} ms of ${signal}:\n${lastWords(process)}`)
  }

  async function stop(): Promise<void> {
    const faults: string[] = []
    for (const name of [...running.keys()].reverse()) {
      const { code, signal } = await end(name, 'SIGTERM').catch((error: Error) => {
        faults.push(error.message)
        return { code: 0, signal: null }
      })
      if (code !== 0)
        faults.push(`${name} ended with ${signal ?? code}:\n${lastWords(ended.at(-1))}`)
    }
    for (const { pid, command } of await survivorsOf(known)) {
      faults.push(`${command} (${pid}) is left`)
      process.kill(pid, 'SIGKILL')
    }
    await database?.drop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    if (faults.length > 0) throw new Error(`The product did not stop cleanly: ${faults.join('\n')}`)
  }

  try {
    if (mode === 'in-process' && startedBefore) await copyStartedData(env.DATA_DIR ?? '', startOnce)
    if (mode === 'in-process') await start('server')
    else {
      await Promise.all([
        start('events'),
        start('test-execution'),
        start('accounts'),
        start('worker'),
      ])
      env.EVENTS_URL = urls.get('events') ?? ''
      env.ACCOUNTS_URL = urls.get('accounts') ?? ''
      env.TEST_EXECUTION_URL = urls.get('test-execution') ?? ''
      await start('gateway')
    }
  } catch (error) {
    await stop().catch(() => {})
    throw error
  }
  const gateway = mode === 'in-process' ? 'server' : 'gateway'
  return {
    url: urls.get(gateway) ?? '',
    mode,
    parts:
      mode === 'in-process'
        ? { gateway, testExecution: 'server', runner: 'server', events: 'server' }
        : { gateway, testExecution: 'test-execution', runner: 'worker', events: 'events' },
    get pids() {
      return Object.fromEntries([...running].map(([name, { pid }]) => [name, pid]))
    },
    subgraphs: {
      urls: [...urls].filter(([name]) => name !== gateway).map(([, url]) => url),
      internalSecret: env.INTERNAL_SECRET ?? '',
    },
    env,
    sandboxes: async () => {
      const below = await descendantsOf([...running.values()].map(({ pid }) => pid))
      return below.filter(({ command }) => command.startsWith(IN_USE))
    },
    kill: end,
    restart: start,
    says: (name, pattern) => the(name).says(pattern),
    logs: (only) =>
      [...ended, ...running.values()]
        .filter(({ name }) => only === undefined || only === name)
        .map((process) => process.output())
        .join(''),
    stop,
  }
}

/** Waits until a process serves. @returns its address; none for a worker */
export async function addressOf(process: ProductProcess): Promise<string | null> {
  const ready = {
    server: /Assay is ready\.[\s\S]*GraphQL {3}(https?:\S+)\/graphql/,
    gateway: /"url":"([^"]+)","msg":"The gateway is ready"/,
    events: /"url":"([^"]+)","msg":"The events subgraph is ready"/,
    accounts: /"url":"([^"]+)","msg":"The accounts subgraph is ready"/,
    'test-execution': /"url":"([^"]+)","msg":"The test-execution subgraph is ready"/,
    worker: /"The worker is ready"/,
  } satisfies Record<ProcessName, RegExp>
  const [, url = null] = await process.says(ready[process.name as ProcessName])
  return url
}

const lastWords = (process?: ProductProcess): string => (process?.output() ?? '').slice(-3_000)
