import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { descendantsOf } from '../../support/process-tree.ts'
import { residentMebibytes } from '../memory.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { lists } from './lists.ts'
import { load } from './load.ts'
import { DESCRIPTION, EVENTS_PER_REQUEST, mixedBodies } from './mix.ts'
import { pacedLoad } from './paced.ts'
import type { Running } from './product.ts'

const CONNECTIONS = 16
const WARM_UP_SECONDS = 10
const PEAK_SECONDS = 20
const SAMPLE_MS = 1_000
/** Between one list and the next one. */
const LIST_PAUSE_MS = 100
const MINUTE_MS = 60_000

/** Half of the peak rate for minutes without a pause, and what of it can be found how soon. Asks nothing else to run. */
export async function benchSteady(running: Running): Promise<void> {
  const minutes = Number(process.argv.find((each) => /^[\d.]+$/.test(each)) ?? 10)
  print(`\n## Steady: half of the peak rate for ${minutes} minutes`)
  print(DESCRIPTION)
  const ours = { url: running.url, connections: CONNECTIONS, body: mixedBodies(), success: 202 }
  await load({ ...ours, title: 'warming up', seconds: WARM_UP_SECONDS })
  const { rate: peak } = await load({ ...ours, title: 'peak', seconds: PEAK_SECONDS })
  print(`peak: ${format(peak * EVENTS_PER_REQUEST)} events/s`)
  const client = new pg.Client(running.databaseUrl)
  await client.connect()
  try {
    const began = performance.now()
    while ((await lagOf(client)).events > 0) await delay(SAMPLE_MS / 10)
    print(`indexed ${format((performance.now() - began) / 1_000)} s later; now half of it`)
    await steady(running, client, { ...ours, rate: peak / 2, seconds: minutes * 60 })
    await printSizes(client)
  } finally {
    await client.end()
  }
}

/** A load at a steady rate, with readers beside it. @returns p99 of the lag (s), and p95 of all lists (ms) */
export async function steady(
  running: Running,
  client: pg.Client,
  sent: Omit<Parameters<typeof pacedLoad>[0], 'title' | 'warmUpSeconds'>,
): Promise<{ lagP99: number; listsP95: number }> {
  const ended = new AbortController()
  const lag = watchLag(client, ended.signal)
  const asked = askLists(running.url, ended.signal)
  const memory = watchMemory(running, ended.signal)
  const used = () => Promise.all(processes(running).map(([, pid]) => processorMs([pid])))
  const before = await used()
  await pacedLoad({ ...sent, title: 'steady', warmUpSeconds: 0 })
  const after = await used()
  ended.abort()
  const [lagP99, listsP95] = await Promise.all([lag, asked, memory])
  const events = sent.rate * sent.seconds * EVENTS_PER_REQUEST
  print(`${format(sent.rate * EVENTS_PER_REQUEST)} events/s; one event, lists included, takes:`)
  for (const [at, [name]] of processes(running).entries())
    print(
      `  ${name}: ${format((((after[at] ?? 0) - (before[at] ?? 0)) * 1_000) / events)} µs of processor time`,
    )
  return { lagP99, listsP95 }
}

const processes = ({ assay, databasePid }: Running): [name: string, pid: number][] => [
  ['product', assay.pids.server ?? 0],
  ['database', databasePid],
]

const LAG = `
  select (select last_value from events.raw_event_id_seq) - position.id as events, coalesce((
    select extract(epoch from clock_timestamp() - received_at) from events.raw_event
    where raw_event.id > position.id order by raw_event.id limit 1), 0)::float8 as seconds
  from events.search_position as position`

async function lagOf(client: pg.Client): Promise<{ events: number; seconds: number }> {
  const { rows } = await client.query(LAG)
  return { events: Number(rows[0].events), seconds: rows[0].seconds }
}

async function watchLag(client: pg.Client, signal: AbortSignal): Promise<number> {
  const lags: { events: number; seconds: number }[] = []
  while (!signal.aborted) {
    lags.push(await lagOf(client))
    await pause(SAMPLE_MS, signal)
  }
  const seconds = summarize(lags.map((lag) => lag.seconds))
  const late = summarize(lags.map(({ events }) => events))
  print(
    `lag of the index: p50 ${format(seconds.p50)} · p99 ${format(seconds.p99)} · longest ${format(seconds.max)} s; ${format(late.p50)} to ${format(late.max)} events`,
  )
  print(`  each second: ${lags.map((lag) => format(lag.seconds)).join(' ')}`)
  return seconds.p99
}

/** Asks every list in turn, until the end. */
async function askLists(url: string, signal: AbortSignal): Promise<number> {
  const { accepted } = await newest(url)
  const all = lists(accepted).map(([title, path]) => ({
    title,
    path,
    took: [] as number[],
    others: [] as number[],
  }))
  for (let at = 0; !signal.aborted; at = (at + 1) % all.length) {
    const list = all[at]
    if (!list) break
    const begin = performance.now()
    const answer = await fetch(url + list.path)
    const text = await answer.text()
    list.took.push(performance.now() - begin)
    if (!answer.ok) {
      list.others.push(answer.status)
      print(`${list.title} answers ${answer.status}: ${text}`)
    }
    await pause(LIST_PAUSE_MS, signal)
  }
  const asked = all.filter(({ took }) => took.length > 0)
  for (const { title, took, others } of asked) {
    const { n, p50, max } = summarize(took)
    print(
      `${format(p50).padStart(6)} ms, p95 ${format(p95(took))} (slowest ${format(max)}) of ${n}, ${others.length === 0 ? 'all 200' : `besides 200: ${others}`}  GET /v1/events${title}`,
    )
  }
  const took = asked.flatMap((list) => list.took)
  const others = asked.flatMap((list) => list.others)
  const { n, p50, max } = summarize(took)
  print(
    `all lists: p50 ${format(p50)} · p95 ${format(p95(took))} · slowest ${format(max)} ms of ${n}; besides 200: ${others.length}`,
  )
  return p95(took)
}

const p95 = (samples: readonly number[]): number =>
  [...samples].sort((a, b) => a - b)[Math.ceil(samples.length * 0.95) - 1] ?? NaN

async function newest(url: string): Promise<{ accepted: string }> {
  const answer = await fetch(`${url}?limit=1`)
  const { items } = (await answer.json()) as { items: { id: string }[] }
  return { accepted: items[0]?.id ?? '' }
}

/** Watches the memory of the product's process, and of the database's processes for themselves. */
async function watchMemory({ assay, databasePid }: Running, signal: AbortSignal): Promise<void> {
  const samples: string[] = []
  while (!signal.aborted) {
    const below = await descendantsOf([databasePid])
    const own = await Promise.all([databasePid, ...below.map(({ pid }) => pid)].map(ownMebibytes))
    const database = own.reduce((sum, each) => sum + each, 0)
    samples.push(`${await residentMebibytes(assay.pids.server ?? 0)}+${Math.round(database)}`)
    await pause(MINUTE_MS / 2, signal)
  }
  print(`memory of product + database, each half minute, MiB: ${samples.join(' ')}`)
}

async function ownMebibytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
}

const SIZES = `
  select coalesce(parent.relname, child.relname) as name, sum(pg_table_size(child.oid))::float8 as rows,
    sum(pg_indexes_size(child.oid))::float8 as indexes
  from pg_class as child left join pg_inherits on inhrelid = child.oid left join pg_class as parent on parent.oid = inhparent
  where child.relkind = 'r' and child.relnamespace = 'events'::regnamespace
  group by 1 having sum(pg_total_relation_size(child.oid)) > 1e6 order by sum(pg_total_relation_size(child.oid)) desc`

async function printSizes(client: pg.Client): Promise<void> {
  const { rows: counted } = await client.query(
    'select (select count(*) from events.raw_event)::float8 as raw, (select count(*) from events.event)::float8 as events',
  )
  const { raw, events } = counted[0]
  print(`bytes for each of ${raw} occurrences of ${events} events, rows + indexes:`)
  const { rows: tables } = await client.query(SIZES)
  const sums = { data: 0, search: 0 }
  for (const { name, rows, indexes } of tables) {
    print(`  ${name}: ${format(rows / raw)} + ${format(indexes / raw)}`)
    sums[/search|number|content/.test(name) ? 'search' : 'data'] += (rows + indexes) / raw
  }
  print(`  data ${format(sums.data)}, search tables ${format(sums.search)}`)
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  delay(ms, undefined, { signal }).catch(() => {})
