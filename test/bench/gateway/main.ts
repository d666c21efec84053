import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { composeServices } from '@apollo/composition'
import { parse } from 'graphql'
import { freePort } from '../../../platform/data-dir/free-port.ts'
import { built } from '../built.ts'
import { printLoad, printMachine } from '../machine.ts'
import { print } from '../samples.ts'
import { wrkVersion } from '../wrk.ts'
import { type Contender, compare } from './compare.ts'
import { benchEventSubscribers } from './event-subscribers.ts'
// @ts-expect-error: a script that runs beside other gateways, without types
import { STREAM, SUBGRAPHS } from './peers/data.mjs'
// @ts-expect-error: as above
import { PUBLIC, PUBLIC_QUERY } from './peers/public.mjs'
import { installPeers } from './peers.ts'
import { pinLoad, type Running, startPinned } from './pinned.ts'
import { benchProcesses } from './processes.ts'
import { benchSubscribers } from './subscribers.ts'

type Services = Record<string, { sdl: string }>

const PRODUCT = join(import.meta.dirname, '../../../dist/gateway.js')
const HERE = join(import.meta.dirname, 'peers')
const OURS = {
  PORT: '0',
  LOG_LEVEL: 'info',
  FORWARD_HEADERS: 'authorization',
}
const { local } = await built({ local: join(HERE, 'assay-local.mjs') })
const LOCAL = [fileURLToPath(local)]
/** Mean pause of each of 64 connections where a gateway is to be busy for a part of the time. */
const PAUSE_MS = 200
const OTHERS = process.env.AGAINST?.split(',') ?? []
const ONLY = process.argv.slice(2)
const wanted = (part: string) => ONLY.length === 0 || ONLY.includes(part)

/**
 * Prints what docs/internals/performance.md quotes of gateways: `npm run bench:gateway`, or with some of `http`, `public`,
 * `local`, `subscribers`, `processes`, and `alone` for no peers. `PEERS` names a folder to keep them in, `AGAINST` other built
 * checkouts, separated by commas, that take part in all three of them. It judges nothing: the reader compares.
 */
const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'))
const running: Running[] = []
const peers = ONLY.includes('alone') ? undefined : await installPeers(process.env.PEERS)
try {
  printMachine()
  if (peers)
    print(
      `peers     ${Object.entries(peers.versions)
        .map((pair) => pair.join(' '))
        .join(' · ')}`,
    )
  // Before this process is pinned: the product and its database take the cores that they find.
  if (wanted('subscribers')) await benchEventSubscribers()
  if (wanted('processes')) await benchProcesses()
  if (['http', 'public', 'local'].some(wanted)) print(`generator ${wrkVersion()}`)
  pinLoad()
  if (wanted('http')) await benchHttp()
  if (wanted('public')) await benchPublic()
  if (wanted('local')) await benchLocal()
  if (wanted('subscribers')) await benchStream()
  printLoad()
} finally {
  for (const each of running) await each.stop()
  await peers?.remove()
  await rm(folder, { recursive: true, force: true })
}
process.exit()

async function benchHttp(): Promise<void> {
  const subgraphs = await start('load', ['subgraphs.mjs'], HERE, {})
  const urls = JSON.parse(subgraphs.ready) as Record<string, string>
  const SUPERGRAPH = await compose('http', SUBGRAPHS, urls)
  const services = Object.entries(urls).map(([name, url]) => ({ name, url }))
  const contenders = await oursOver(SUPERGRAPH)
  // All on one core, as the others: it shows what a request costs, and no rate of several cores.
  const ours: [string[], string] = [[PRODUCT, '--remote'], folder]
  const several = { ...OURS, SUPERGRAPH, PROCESSES: '2' }
  const beside = contenders.slice(0, 1)
  contenders.push({ ...(await contender('Assay, PROCESSES=2', ...ours, several)), processes: 2 })
  // Two programs that share a core, and nothing else.
  const [one, other] = [
    await contender('Assay twice, beside each other', ...ours, { ...OURS, SUPERGRAPH }),
    await contender('', ...ours, { ...OURS, SUPERGRAPH }),
  ]
  contenders.push({
    ...one,
    urls: [...one.urls, ...other.urls],
    pids: [...one.pids, ...other.pids],
  })
  beside.push(...contenders.slice(-2))
  if (peers) {
    const { apollo, mercurius, hive } = peers.folders
    contenders.push(
      await contender('Apollo Server + Apollo Gateway', ['apollo.mjs'], apollo, {
        SUPERGRAPH,
        PORT: '0',
      }),
      await contender('Mercurius gateway, jit', ['mercurius.mjs'], mercurius, {
        SERVICES: JSON.stringify(services),
        PORT: String(await freePort()),
      }),
      await contender('Hive Gateway', ['hive.mjs'], hive, {
        SUPERGRAPH,
        PORT: String(await freePort()),
      }),
    )
  }
  await compareAll('Over HTTP subgraphs', contenders, subgraphs.pid)
  // Processes that leave the core to each other, as if each had one of its own.
  await compareAll('Over HTTP subgraphs, at part of the load', beside, subgraphs.pid, PAUSE_MS)
}

/** This checkout, and those of AGAINST. */
async function oursOver(SUPERGRAPH: string): Promise<Contender[]> {
  const others = OTHERS.map((other) => [`Assay of ${other}`, join(other, 'dist/gateway.js')])
  const products: Record<string, string> = { Assay: PRODUCT, ...Object.fromEntries(others) }
  const contenders: Contender[] = []
  for (const [name, product] of Object.entries(products))
    contenders.push(await contender(name, [product, '--remote'], folder, { ...OURS, SUPERGRAPH }))
  return contenders
}

async function benchLocal(): Promise<void> {
  const SUPERGRAPH = await compose('local', SUBGRAPHS)
  const contenders = [await contender('Assay', LOCAL, HERE, { ...OURS, SUPERGRAPH })]
  for (const other of OTHERS) {
    const theirs = [await localOf(other)]
    contenders.push(await contender(`Assay of ${other}`, theirs, HERE, { ...OURS, SUPERGRAPH }))
  }
  if (peers)
    contenders.push(
      await contender(
        'Apollo Server + Apollo Gateway',
        ['apollo-local.mjs'],
        peers.folders.apollo,
        {
          SUPERGRAPH,
          PORT: '0',
        },
      ),
    )
  await compareAll('In process', contenders)
}

/** The same script of another checkout, built by its own build. */
async function localOf(checkout: string): Promise<string> {
  const { built: build }: { built: typeof built } = await import(
    join(checkout, 'test/bench/built.ts')
  )
  const source = join(checkout, 'test/bench/gateway/peers/assay-local.mjs')
  return fileURLToPath((await build({ local: source })).local)
}

async function compareAll(
  title: string,
  contenders: readonly Contender[],
  subgraphs?: number,
  pauseMs = 0,
): Promise<void> {
  for (const callers of ['alike', 'different'] as const)
    for (const entities of [5, 50])
      await compare({
        title: `${title}, ${entities} entities`,
        query: `{ top(first: ${entities}) { upc name price reviews { id body score } } }`,
        connections: 64,
        ...{ callers, contenders, subgraphs, pauseMs },
      })
}

/** Public workload of gateways: four subgraphs, a deep query, 50 connections. Each forwards `authorization`. */
async function benchPublic(): Promise<void> {
  const subgraphs = await start('load', ['subgraphs.mjs'], HERE, { WORKLOAD: 'public' })
  const SUPERGRAPH = await compose('public', PUBLIC, JSON.parse(subgraphs.ready))
  const env = { SUPERGRAPH, FORWARD: '1' }
  const contenders = await oursOver(SUPERGRAPH)
  if (peers) {
    const { apollo, hive, hiveRust } = peers.folders
    contenders.push(
      await contender('Apollo Server + Apollo Gateway', ['apollo.mjs'], apollo, {
        ...env,
        PORT: '0',
      }),
      await contender('Hive Gateway', ['hive.mjs'], hive, {
        ...env,
        PORT: String(await freePort()),
      }),
      await contender('Hive Gateway, runtime in Rust', ['hive.mjs'], hiveRust, {
        ...env,
        PORT: String(await freePort()),
      }),
    )
  }
  for (const callers of ['alike', 'different'] as const)
    await compare({
      title: 'The public workload',
      query: PUBLIC_QUERY,
      connections: 50,
      ...{ callers, contenders, subgraphs: subgraphs.pid },
    })
}

async function benchStream(): Promise<void> {
  const SUPERGRAPH = await compose('stream', STREAM)
  const env = { ...OURS, SUPERGRAPH, STREAM: '1' }
  await benchSubscribers(await start('gateway', LOCAL, HERE, env))
}

async function compose(
  name: string,
  services: Services,
  urls: Record<string, string> = {},
): Promise<string> {
  const { supergraphSdl, errors } = composeServices(
    Object.entries(services).map(([service, { sdl }]) => ({
      name: service,
      url: urls[service] ?? `http://${service}.invalid/graphql`,
      typeDefs: parse(sdl),
    })),
  )
  if (!supergraphSdl) throw new AggregateError(errors ?? [], String(errors))
  const file = join(folder, `${name}.graphql`)
  await writeFile(file, supergraphSdl)
  return file
}

async function contender(name: string, ...how: [string[], string, Record<string, string>]) {
  const { ready, pid } = await start('gateway', ...how)
  return {
    name,
    pids: [pid],
    urls: [ready.endsWith('/graphql') ? ready : `${ready}/graphql`],
  } satisfies Contender
}

async function start(...how: Parameters<typeof startPinned>): Promise<Running> {
  const started = await startPinned(...how)
  running.push(started)
  return started
}
