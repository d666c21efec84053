import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../../../platform/data-dir/embedded-postgres.ts'
import { recordedPid } from '../../../platform/data-dir/postgres-leftovers.ts'
import { addressOf, ENTRY, type ProcessName } from '../../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../../support/e2e/users.ts'
import { type ProductProcess, spawnProduct } from '../../support/product-process.ts'
import { partsEnv } from '../parts-env.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { load } from './load.ts'

/** Built checkouts, separated by commas, that take part in one process. */
const OTHERS = process.env.AGAINST?.split(',') ?? []
const CONNECTIONS = 64
/** Number of signed-in callers. */
const CALLERS = 256
const WARM_UP_SECONDS = Number(process.env.BENCH_WARM_UP ?? 12)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 4)
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5)

const QUERIES = {
  'a list over two subgraphs':
    '{ testCases(first: 5) { nodes { id name events(first: 3) { nodes { id title status timesSeen } } } } }',
  'one object': '{ testCase(id: "tax-table") { id name } }',
}

/** The product in some number of processes. */
interface Arrangement {
  name: string
  processes: ProductProcess[]
  /** Each gets its share of the connections, as from a balancer. */
  urls: string[]
  databasePid: number
  /** Each of a session of its own: what subgraphs return to one is not shared with another. */
  tokens: readonly string[]
}

interface Round {
  perSecond: number
  failed: number
  /** Processor time of a query (µs), of the processes of Node and of the database. */
  product: number
  database: number
}

/**
 * The product in one process, with two gateways over one process for each subgraph, and with PROCESSES=2: on one
 * database, and other checkouts on one each, for distinct callers, in alternating rounds. Nothing is pinned; wrk takes its
 * share of the same cores.
 */
export async function benchProcesses(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const ours = await startDatabase(join(folder, 'postgres'))
  const databases = [ours]
  const arrangements: Arrangement[] = []
  async function arrange(
    name: string,
    start: (started: Arrangement) => Promise<void>,
    { databasePid }: Database = ours,
  ) {
    const arrangement: Arrangement = { name, processes: [], urls: [], databasePid, tokens: [] }
    arrangements.push(arrangement)
    await start(arrangement)
  }
  const starting =
    (into: Arrangement, { env }: Database = ours, dist?: string) =>
    async (name: ProcessName, more: object) => {
      const process = spawnProduct(name, ENTRY[name], { ...env, ...more }, folder, dist)
      into.processes.push(process)
      return (await addressOf(process)) ?? ''
    }
  try {
    await arrange('one process', async (into) => {
      into.urls.push(await starting(into)('server', {}))
    })
    await arrange('2 gateways, a process for each subgraph', async (into) => {
      const start = starting(into)
      const urls = {
        EVENTS_URL: await start('events', {}),
        TEST_EXECUTION_URL: await start('test-execution', {}),
        ACCOUNTS_URL: await start('accounts', {}),
      }
      for (const _ of [1, 2]) into.urls.push(await start('gateway', urls))
    })
    await arrange('PROCESSES=2, each with all parts', async (into) => {
      into.urls.push(await starting(into)('server', { PROCESSES: '2' }))
    })
    for (const [at, other] of OTHERS.entries()) {
      const database = await startDatabase(join(folder, `postgres-${at}`))
      databases.push(database)
      const start = async (into: Arrangement) => {
        into.urls.push(await starting(into, database, join(other, 'dist'))('server', {}))
      }
      await arrange(`one process of ${other}`, start, database)
    }
    for (const each of arrangements) {
      const signedIn = arrangements.find(({ databasePid }) => databasePid === each.databasePid)
      each.tokens = signedIn?.tokens.length ? signedIn.tokens : await tokensOf(each.urls[0] ?? '')
    }
    for (const [name, query] of Object.entries(QUERIES))
      await compare(name, JSON.stringify({ query }), arrangements)
  } finally {
    for (const { processes } of arrangements)
      for (const { signal, exited } of processes.reverse()) {
        signal('SIGTERM')
        await exited
      }
    for (const database of databases) await database.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

interface Database {
  /** Environment of all processes on it. */
  env: Record<string, string>
  databasePid: number
  stop(): Promise<void>
}

async function startDatabase(directory: string): Promise<Database> {
  const log = { info() {}, warn: print }
  const { url, stop } = await startEmbeddedPostgres({
    ...{ directory, password: 'bench', log },
    settings: { max_connections: '400' }, // for all arrangements at once
  })
  const env = { ...partsEnv(url), ...USERS_ENV, ACCESS_LOG: '0' }
  return { env, databasePid: (await recordedPid(directory)) ?? 0, stop }
}

async function tokensOf(url: string): Promise<string[]> {
  const client = new Client(url)
  const admin = basic(ADMIN, ADMIN_PASSWORD)
  const signIns = Array.from({ length: CALLERS }, () => client.rest('POST', '/authenticate', admin))
  return (await Promise.all(signIns)).map(({ body }) => body.token)
}

async function compare(
  name: string,
  body: string,
  arrangements: readonly Arrangement[],
): Promise<void> {
  print(
    `\n## Processes, ${name}: ${CALLERS} callers, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s after ${WARM_UP_SECONDS} s`,
  )
  const ask = async (
    { urls, processes, databasePid, tokens }: Arrangement,
    seconds: number,
  ): Promise<Round> => {
    const used = async () => [
      await processorMs(processes.map(({ pid }) => pid)),
      await processorMs([databasePid]),
    ]
    const before = await used()
    const each = CONNECTIONS / urls.length
    const loads = await Promise.all(
      urls.map((url) => load(`${url}/graphql`, body, seconds, tokens, each)),
    )
    const [product = NaN, database = NaN] = (await used()).map((ms, at) => ms - (before[at] ?? 0))
    const requests = loads.reduce((sum, one) => sum + one.requests, 0)
    return {
      failed: loads.reduce((sum, one) => sum + one.failed, 0),
      perSecond: loads.reduce((sum, one) => sum + one.requests / one.seconds, 0),
      product: (product * 1_000) / requests,
      database: (database * 1_000) / requests,
    }
  }
  const answers = arrangements.flatMap(({ urls, tokens }) =>
    urls.map((url) => answerOf(`${url}/graphql`, body, tokens[0] ?? '')),
  )
  const different = new Set(await Promise.all(answers))
  if (different.size > 1) throw new Error(`Answers differ: ${[...different].join('\n')}`)
  const rounds = new Map(arrangements.map((each): [Arrangement, Round[]] => [each, []]))
  for (const each of arrangements) await ask(each, WARM_UP_SECONDS)
  for (let round = 0; round < ROUNDS; round++)
    for (const [each, measured] of rounds) measured.push(await ask(each, SECONDS))
  const [first] = rounds.values()
  for (const [{ name: title }, measured] of rounds) {
    const ratios = measured.map(({ perSecond }, at) => perSecond / (first?.[at]?.perSecond ?? NaN))
    const p50 = (figure: keyof Round) => summarize(measured.map((one) => one[figure])).p50
    print(
      `${title}: ${format(p50('perSecond'))} queries/s · ${format(p50('product'))} µs of Node and ${format(p50('database'))} µs of PostgreSQL each · ${format(summarize(ratios).p50)} of the first`,
    )
    print(`  queries/s: ${measured.map(({ perSecond }) => format(perSecond)).join(' ')}`)
    const failed = measured.reduce((sum, one) => sum + one.failed, 0)
    if (failed > 0) print(`  FAILED: ${failed}`)
  }
}

/** @throws where it has errors */
async function answerOf(url: string, body: string, token: string): Promise<string> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const response = await fetch(url, { method: 'POST', headers, body })
  const text = await response.text()
  if (!response.ok || text.includes('"errors"')) throw new Error(`${response.status}: ${text}`)
  return text
}
