import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Agent, RetryAgent, request } from 'undici'
import { startAssay } from '../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../support/e2e/users.ts'
import { pathOf } from '../support/system/programs.ts'
import { PROXIES, type ProxyName, startProxy } from '../support/system/proxies.ts'
import { certFile, certOf } from '../support/tls.ts'

const run = promisify(execFile)

export const BEHIND_PROXIES = 'gateway and proxy restart before clients that repeat by themselves'

/** Number of executions that each client starts and waits for. */
const RUNS = 8
/** So that restarts meet executions that are waited for. */
const LENGTH_MS = 1_500
const NAMES = Object.keys(PROXIES) as ProxyName[]

interface Answer {
  status: number
  body: string
}

/** Starts an execution under each key, one after the other, and waits for its end. */
type KeyedRuns = (url: string, keys: readonly string[]) => Promise<Map<string, Answer>>

const admin = basic(ADMIN, ADMIN_PASSWORD)
const credentials = Buffer.from('ci:secret').toString('base64')

const curl: KeyedRuns = async (url, keys) => {
  const repeat = '--retry 100 --retry-delay 1 --retry-all-errors --max-time 120'.split(' ')
  const answers = new Map<string, Answer>()
  for (const key of keys) {
    const headers = { ...admin, credentials, 'idempotency-key': key }
    const { stdout } = await run(pathOf('curl'), [
      ...['-sS', '--fail', '--cacert', certFile('first'), '-X', 'POST', ...repeat],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...['-w', '%{stderr}%{http_code}', url],
    ])
    answers.set(key, { status: 200, body: stdout })
  }
  return answers
}

const node: KeyedRuns = async (url, keys) => {
  const connections = new Agent({ connect: { ca: certOf('first') } })
  const dispatcher = new RetryAgent(connections, {
    maxRetries: 100,
    minTimeout: 500,
    maxTimeout: 2_000,
    methods: ['POST'],
    statusCodes: [429, 500, 502, 503, 504],
  })
  const answers = new Map<string, Answer>()
  for (const key of keys) {
    const headers = { ...admin, credentials, 'idempotency-key': key }
    const { statusCode, body } = await request(url, { dispatcher, method: 'POST', headers })
    answers.set(key, { status: statusCode, body: await body.text() })
  }
  await connections.destroy()
  return answers
}

const java: KeyedRuns = async (url, keys) => {
  const program = join(import.meta.dirname, 'KeyedRuns.java')
  const given = [url, certFile('first'), admin.authorization, ...keys]
  const { stdout } = await run(pathOf('java'), [program, ...given], { maxBuffer: 64 * 1024 ** 2 })
  const lines = stdout.trim().split('\n')
  return new Map(
    lines.map((line) => {
      const [key = '', status, ...body] = line.split(' ')
      return [key, { status: Number(status), body: body.join(' ') }]
    }),
  )
}

const CLIENTS = { curl, node, java }

/**
 * Clients that repeat by themselves run a scenario through each proxy. Meanwhile each proxy restarts, and the gateway
 * stops as an operator stops it and is killed. @returns what was lost, or ran twice
 */
export async function behindProxies(): Promise<string[]> {
  const jobs = NAMES.flatMap((proxy) => Object.keys(CLIENTS).map((client) => ({ proxy, client })))
  const env = {
    ...USERS_ENV,
    PROXY_ADDRESSES: '127.0.0.1/32',
    WORKER_SLOTS: String(jobs.length),
    SHUTDOWN_DELAY_SECONDS: '1',
  }
  const assay = await startAssay({ mode: 'in-process', env })
  const running = new Map(
    await Promise.all(
      NAMES.map(async (name) => [name, await startProxy(name, assay.url)] as const),
    ),
  )
  const urlOf = (name: ProxyName) => running.get(name)?.url ?? ''
  try {
    const pause = { id: 'pause', wait: { ms: LENGTH_MS } }
    const id = await new Client(assay.url).openScenario({ scenario: { steps: [pause] } })
    const answered = jobs.map(async ({ proxy, client }) => {
      const keys = Array.from({ length: RUNS }, (_, at) => `${proxy}-${client}-${at}`)
      const url = `${urlOf(proxy)}/api/testcase/${id}/execute?synchron=true`
      const answers = await CLIENTS[client as keyof typeof CLIENTS](url, keys)
      return keys.map((key) => ({ key, answer: answers.get(key) }))
    })
    const all = Promise.allSettled(answered)
    await delay(3_000)
    for (const name of NAMES) {
      const port = Number(new URL(urlOf(name)).port)
      await running.get(name)?.stop()
      running.set(name, await startProxy(name, assay.url, port))
    }
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await delay(2_000)
      await assay.kill('server', signal)
      await assay.restart('server')
    }
    const faults: string[] = []
    const ids = new Map<string, string>()
    for (const each of await all) {
      if (each.status === 'rejected') faults.push(`a client gave up: ${each.reason}`)
      else
        for (const { key, answer } of each.value) {
          const { id = '', state } = readable(answer?.body)
          if (state !== 'COMPLETED') faults.push(`${key}: ${answer?.status} ${answer?.body}`)
          ids.set(key, id)
        }
    }
    const started = await new Client(assay.url).rest('GET', `/testcase/${id}/result/count`, admin)
    const keys = jobs.length * RUNS
    if (new Set(ids.values()).size !== keys) faults.push(`${keys} keys share executions`)
    if (started.body !== keys) faults.push(`${keys} keys started ${started.body} executions`)
    return faults
  } finally {
    await Promise.all([...running.values()].map((proxy) => proxy.stop()))
    await assay.stop()
  }
}

function readable(body = ''): { id?: string; state?: string } {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}
