import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '../../platform/data-dir/free-port.ts'
import { eventually } from '../support/eventually.ts'
import { pathOf } from '../support/system/programs.ts'

/** Ports of the servers that share a port of the balancer. */
export interface Balanced {
  name: string
  servers: readonly number[]
  /** Path that says whether a server takes requests. */
  check: string
}

export interface Balancer {
  /** The balancer's port of each name. */
  ports: Readonly<Record<string, number>>
  /** Waits until it sends requests to a server, such as gateway1. */
  sees(server: string): Promise<void>
  /** Sends a server no more requests; or again. */
  drain(server: string): Promise<void>
  undrain(server: string): Promise<void>
  /** Cuts every connection, and takes no new ones. */
  kill(): Promise<void>
  /** Starts it again on its old ports. */
  restart(): Promise<void>
  /** SIGSTOP: connections stay open, and carry nothing until SIGCONT. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  stop(): Promise<void>
}

/** Checks each server four times a second, sends what could not be delivered to another one, and never repeats what was sent. */
export async function startHaproxy(balanced: readonly Balanced[]): Promise<Balancer> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const control = join(folder, 'control')
  const ports: Record<string, number> = {}
  for (const { name } of balanced) ports[name] = await freePort()
  const statistics = await freePort()
  await writeFile(file, configuration(balanced, { ports, statistics, control }))
  let child = await start(file)
  const abandon = () => void child.kill('SIGKILL')
  process.once('exit', abandon)
  const setState = async (server: string, state: 'drain' | 'ready') => {
    const socket = connect(control)
    socket.end(`set server ${server.replace(/\d+$/, '')}/${server} state ${state}\n`)
    const answer = (await text(socket)).trim()
    if (answer) throw new Error(`HAProxy does not set ${server} to ${state}: ${answer}`)
  }
  return {
    ports,
    drain: (server) => setState(server, 'drain'),
    undrain: (server) => setState(server, 'ready'),
    sees: (server) =>
      eventually(async () => {
        const rows = await (await fetch(`http://127.0.0.1:${statistics}/;csv`)).text()
        const row = rows.split('\n').find((each) => each.split(',')[1] === server)
        if (!row?.split(',').includes('UP')) throw new Error(`HAProxy sends nothing to ${server}`)
      }, PATIENCE_MS),
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async restart() {
      child = await start(file)
    },
    signal: (signal) => void child.kill(signal),
    async stop() {
      process.off('exit', abandon)
      child.kill('SIGTERM')
      await rm(folder, { recursive: true })
    },
  }
}

async function start(file: string): Promise<ChildProcess> {
  const child = spawn(pathOf('haproxy'), ['-db', '-f', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    said += piece
  })
  await delay(200)
  if (child.exitCode !== null) throw new Error(`HAProxy did not start:\n${said}`)
  return child
}

/** A process that serves is seen within it, however busy the machine is. */
const PATIENCE_MS = 30_000

interface Addresses {
  ports: Readonly<Record<string, number>>
  statistics: number
  control: string
}

const configuration = (
  balanced: readonly Balanced[],
  { ports, statistics, control }: Addresses,
): string => `global
  stats socket ${control} mode 600 level admin

defaults
  mode http
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 3s
  option redispatch 1
  retries 5
  retry-on conn-failure
  default-server inter 250ms fall 2 rise 1

listen statistics
  bind 127.0.0.1:${statistics}
  stats enable
  stats uri /
${balanced.map((each) => section(each, ports[each.name] ?? 0)).join('\n')}
`

const section = ({ name, servers, check }: Balanced, port: number): string => `
listen ${name}
  bind 127.0.0.1:${port}
  option httpchk GET ${check}
${servers.map((server, at) => `  server ${name}${at + 1} 127.0.0.1:${server} check`).join('\n')}`
