import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { addressOf, ENTRY, type ProcessName } from '../support/assay.ts'
import { productKeys } from '../support/product-keys.ts'
import { type ProductProcess, spawnProduct } from '../support/product-process.ts'
import { type NatsServer, startNatsServer } from '../support/system/nats-server.ts'
import { type Balancer, startHaproxy } from './haproxy.ts'
import { type Ground, startGround, type Topology } from './topology.ts'

export const ADMIN = { email: 'root@example.com', password: randomBytes(12).toString('hex') }

/** A process of the installation; the number tells those of one kind apart. */
export interface Member {
  kind: ProcessName
  name: string
  port: number
}

/** Start of a process besides the common way. */
export interface Start {
  /** Folder that `npm run build` made; default: of this version. */
  dist?: string
  env?: Record<string, string>
}

/** The parts of an installation on several machines: all twice, behind a balancer. */
export interface Installation extends Omit<Ground, 'stop' | 'env'> {
  /** Address of the balancer. */
  url: string
  /** Variables of every process. */
  env: Readonly<Record<string, string>>
  nats: NatsServer
  /** Between callers and gateways, and between gateways and subgraphs. */
  balancer: Balancer
  members: readonly Member[]
  /** The process that runs under this name. */
  the(name: string): ProductProcess
  /** Ends processes with a signal, and waits until they are gone. */
  end(signal: NodeJS.Signals, ...names: string[]): Promise<void>
  /** Starts processes that have ended, on their old ports; waits until the balancer sends them requests. */
  start(...names: string[]): Promise<void>
  /**
   * Ends a process as an operator does, and starts it in another way, which holds until the next such change. Beside the
   * former version, which knows no SHUTDOWN_DELAY_SECONDS, a process is taken out of the balancer first.
   */
  restart(name: string, how?: Start): Promise<void>
  /** Output of the processes of this name. */
  logs(name: string): string
  stop(): Promise<void>
}

const TWICE: readonly ProcessName[] = ['accounts', 'events', 'test-execution', 'gateway', 'worker']
const SUBGRAPHS: readonly ProcessName[] = ['events', 'test-execution', 'accounts']

/** @param more variables for every process */
export async function startInstallation(
  topology: Topology = 'plain',
  more: Record<string, string> = {},
): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-drills-'))
  const ground = await startGround(topology)
  const nats = await startNatsServer()
  const members: Member[] = []
  for (const kind of TWICE)
    for (const at of [1, 2]) members.push({ kind, name: `${kind}${at}`, port: await freePort() })
  const balancer = await startHaproxy(
    [...SUBGRAPHS, 'gateway' as const].map((name) => ({
      name,
      servers: members.filter(({ kind }) => kind === name).map(({ port }) => port),
      check: name === 'gateway' || topology !== 'former version' ? '/readyz' : '/healthz',
    })),
  )
  const env = { ...variables(balancer, nats), ...ground.env, ...more }
  const { dist } = ground
  const starts = new Map<string, Start>(
    members.map(({ name }) => [name, dist === undefined ? {} : { dist }]),
  )
  const running = new Map<string, ProductProcess>()
  const ended: ProductProcess[] = []
  const member = (name: string): Member => {
    const found = members.find((each) => each.name === name)
    if (!found) throw new Error(`The installation has no ${name}`)
    return found
  }
  const the = (name: string): ProductProcess => {
    const found = running.get(name)
    if (!found) throw new Error(`${name} does not run`)
    return found
  }
  const installation: Installation = {
    url: `http://127.0.0.1:${balancer.ports.gateway}`,
    ...ground,
    env,
    nats,
    balancer,
    members,
    the,
    async end(signal, ...names) {
      const processes = names.map(the)
      for (const each of processes) each.signal(signal)
      await Promise.all(processes.map(({ exited }) => exited))
      for (const name of names) running.delete(name)
      ended.push(...processes)
    },
    async start(...names) {
      await Promise.all(
        names.map(async (name) => {
          const { kind, port } = member(name)
          const how = starts.get(name) ?? {}
          const own = { ...env, PORT: `${port}`, ...how.env }
          const started = spawnProduct(kind, ENTRY[kind], own, folder, how.dist)
          running.set(name, started)
          await addressOf(started)
          if (kind !== 'worker') await balancer.sees(name)
        }),
      )
    },
    async restart(name, how = starts.get(name) ?? {}) {
      const isDrained = topology === 'former version' && member(name).kind !== 'worker'
      starts.set(name, how)
      if (isDrained) await balancer.drain(name)
      await installation.end('SIGTERM', name)
      if (isDrained) await balancer.undrain(name)
      await installation.start(name)
    },
    logs: (name) =>
      [...ended, running.get(name)]
        .filter((each) => each !== undefined)
        .map((each) => each.output())
        .join(''),
    async stop() {
      await installation.end('SIGTERM', ...running.keys())
      await Promise.all([balancer.stop(), nats.stop()])
      await ground.stop()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  const names = members.map(({ name }) => name)
  const isGateway = (name: string) => name.startsWith('gateway')
  await installation.start(...names.filter((name) => !isGateway(name)))
  await installation.start(...names.filter(isGateway))
  return installation
}

function variables({ ports }: Balancer, nats: NatsServer): Record<string, string> {
  const graphql = (name: string) => `http://127.0.0.1:${ports[name]}/graphql`
  return {
    AUTH_MODE: 'users',
    ADMIN_EMAIL: ADMIN.email,
    ADMIN_PASSWORD: ADMIN.password,
    NATS_URL: nats.url,
    SANDBOX: 'best-effort',
    LOG_LEVEL: 'info',
    SHUTDOWN_DELAY_SECONDS: '2',
    ...productKeys(),
    INTERNAL_SECRET: randomBytes(32).toString('base64'),
    OUTBOUND_ALLOW: '127.0.0.0/8',
    EVENTS_URL: graphql('events'),
    TEST_EXECUTION_URL: graphql('test-execution'),
    ACCOUNTS_URL: graphql('accounts'),
  }
}
