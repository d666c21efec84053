import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { descendantsOf } from '../support/process-tree.ts'
import { accountOf, type DebianPostgres } from '../support/system/debian-postgres.ts'
import { pathOf } from '../support/system/programs.ts'

/** Two servers of PostgreSQL, one of which Patroni keeps primary. The second one has each commit before it is acknowledged. */
export interface PatroniCluster extends DebianPostgres {
  /** Waits until another server than the killed one takes writes. */
  failedOver(): Promise<void>
  /** Waits until both servers run, and one follows the other. */
  isWhole(): Promise<void>
}

interface Node {
  name: string
  port: number
  api: number
  file: string
  process: ChildProcess | undefined
}

/** Time to live of a leader: the least that Patroni's documents recommend. */
const LEADER_TTL_SECONDS = 20
const PATIENCE_MS = 180_000

export async function startPatroni(): Promise<PatroniCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-patroni-'))
  const account = (await accountOf(folder)) ?? {}
  const options = { ...account, cwd: folder }
  const etcd = await startEtcd(folder, options)
  const nodes: Node[] = []
  for (const name of ['one', 'two']) {
    const [port, api] = [await freePort(), await freePort()]
    const file = join(folder, `${name}.yml`)
    await writeFile(file, configuration({ name, port, api, etcd: etcd.port, folder }))
    nodes.push({ name, port, api, file, process: undefined })
  }
  const begin = (node: Node) => {
    node.process = spawn(pathOf('patroni'), [node.file], { ...options, stdio: 'ignore' })
  }
  const killed = new Set<Node>()
  const end = async (node: Node) => {
    const { process: patroni } = node
    if (!patroni?.pid || patroni.exitCode !== null || patroni.signalCode !== null) return
    // The server is no child of Patroni, and outlives it.
    const all = [patroni.pid, await postmasterOf(join(folder, node.name))]
    const below = await descendantsOf(all)
    const exited = once(patroni, 'exit')
    for (const pid of [...all, ...below.map((each) => each.pid)]) kill(pid)
    await exited
  }
  const abandon = () => {
    for (const { process: patroni } of nodes) patroni?.kill('SIGKILL')
    etcd.child.kill('SIGKILL')
  }
  process.once('exit', abandon)
  const is = async ({ api }: Node, role: string) =>
    (await fetch(`http://127.0.0.1:${api}/${role}`).catch(() => null))?.status === 200
  const theOne = async (role: string): Promise<Node> => {
    for (const node of nodes) if (!killed.has(node) && (await is(node, role))) return node
    throw new Error(`No server of Patroni's is ${role}`)
  }
  const until = <Result>(look: () => Promise<Result>) => eventually(look, PATIENCE_MS)
  const isWhole = async () => {
    await until(() => theOne('primary'))
    await until(() => theOne('sync'))
  }
  // The first one to begin is the primary.
  for (const node of nodes) {
    begin(node)
    await until(() => theOne('primary'))
  }
  await isWhole()
  const servers = nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')
  return {
    url: `postgres://assay@${servers}/postgres`,
    pid: 0,
    isWhole,
    async kill() {
      const primary = await theOne('primary')
      killed.add(primary)
      await end(primary)
    },
    async failedOver() {
      await until(() => theOne('primary'))
    },
    async restart() {
      for (const node of killed) {
        // The machine is lost, and a new one takes its place.
        await rm(join(folder, node.name), { recursive: true })
        begin(node)
      }
      killed.clear()
    },
    promote: () => Promise.reject(new Error('Patroni promotes')),
    async stop() {
      process.off('exit', abandon)
      for (const node of nodes) await end(node)
      const ended = once(etcd.child, 'exit')
      etcd.child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}

/** @returns NaN where none runs */
async function postmasterOf(data: string): Promise<number> {
  const file = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(file, 10)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended with its parent.
  }
}

async function startEtcd(folder: string, options: { uid?: number; gid?: number; cwd: string }) {
  const [port, peer] = [await freePort(), await freePort()]
  const data = join(folder, 'etcd')
  await mkdir(data, { mode: 0o700 })
  if (options.uid !== undefined && options.gid !== undefined)
    await chown(data, options.uid, options.gid)
  const [clients, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`]
  const settings = {
    'data-dir': data,
    'listen-client-urls': clients,
    'advertise-client-urls': clients,
    'listen-peer-urls': peers,
    'initial-advertise-peer-urls': peers,
    'initial-cluster': `default=${peers}`,
  }
  const args = Object.entries(settings).map(([name, value]) => `--${name}=${value}`)
  const child = spawn(pathOf('etcd'), args, { ...options, stdio: 'ignore' })
  await eventually(async () => {
    const { health } = (await (await fetch(`${clients}/health`)).json()) as { health: string }
    if (health !== 'true') throw new Error('etcd is not healthy')
  }, PATIENCE_MS)
  return { child, port }
}

interface Place {
  name: string
  port: number
  api: number
  etcd: number
  folder: string
}

const configuration = ({ name, port, api, etcd, folder }: Place): string => `scope: drill
name: ${name}
restapi: { listen: 127.0.0.1:${api}, connect_address: 127.0.0.1:${api} }
etcd3: { host: 127.0.0.1:${etcd} }
bootstrap:
  dcs:
    ttl: ${LEADER_TTL_SECONDS}
    loop_wait: 2
    retry_timeout: 5
    synchronous_mode: true
    postgresql: { parameters: { max_connections: 300 } }
  initdb: [{ encoding: UTF8 }, { locale: C.UTF-8 }]
postgresql:
  listen: 127.0.0.1:${port}
  connect_address: 127.0.0.1:${port}
  data_dir: ${join(folder, name)}
  bin_dir: ${dirname(pathOf('postgres'))}
  pgpass: ${join(folder, `${name}.pgpass`)}
  remove_data_directory_on_diverged_timelines: true
  authentication:
    superuser: { username: assay }
    replication: { username: assay }
  parameters: { unix_socket_directories: '' }
  pg_hba:
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
`
