import { setTimeout as delay } from 'node:timers/promises'
import { administer } from '../events/product.ts'
import { busyMs, pinLoad, pinProduct } from '../gateway/pinned.ts'
import { closedLoop, openLoop, type Sample } from '../overload/offered.ts'
import { Subscribers } from '../overload/subscribers.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'
import { busyWith, coresFor, type Demands, responseTime, setupOf, waitForSlot } from './model.ts'
import { type Parts, startParts } from './parts.ts'
import { type Unit, unitsOf } from './units.ts'

const WARM_UP_SECONDS = 4
const COST_SECONDS = 6
const IDLE_SECONDS = 5
const MODEL_SECONDS = 12
const SUBSCRIBERS = 100
const EVENTS = 100
const SLOTS = 4
/** Part of the processor that one time of a load takes. */
const ONE_TIME = 0.25
/** Load at which the model learns what a request takes. */
const LEARNED_AT = 0.4
const COMPARED = ['query of two fetches', 'event, sent alone', 'execution of a scenario']

/** A load of a team, in units a second, which docs/internals/scale.md multiplies. */
const TEAM = {
  'event, sent alone': 10,
  'query of two fetches': 5,
  'list of 50 events': 2,
  'execution of a scenario': 0.5,
  'delivery to a subscriber': 50,
}

/**
 * Measures the cost of each unit of work for each process, the needs of a multiple of a team's load, and the worth of a queueing model:
 * `scale [model]`, with the last of these alone.
 */
export async function benchScale(): Promise<void> {
  pinLoad()
  const parts = await startParts()
  await pinProduct(Object.values(parts.pids))
  const { units, stop } = await unitsOf(parts.url)
  const isWhole = !process.argv.slice(3).includes('model')
  try {
    print(
      '\n## Processor time of each unit of work, in µs, in each process; a process for each part',
    )
    const idle = await idleOf(parts)
    const demands: Record<string, Demands> = {}
    for (const [name, unit] of Object.entries(units)) {
      if (!isWhole && !COMPARED.includes(name)) continue
      await closedLoop(unit.send, unit.callers, WARM_UP_SECONDS)
      demands[name] = await demandOf(
        parts,
        idle,
        async () => {
          const rate = await closedLoop(unit.send, unit.callers, COST_SECONDS)
          return rate * COST_SECONDS * unit.size
        },
        name,
      )
    }
    if (isWhole) {
      demands['delivery to a subscriber'] = await deliveryDemand(parts, idle)
      printCores(demands)
    }
    print('\n## A model of queues beside the product: one processor for all parts')
    const idleBusy = await busyWhile(() => delay(IDLE_SECONDS * 1_000))
    for (const name of COMPARED)
      if (units[name]) await compare(name, units[name], sum(demands[name] ?? {}), idleBusy)
  } finally {
    stop()
    await parts.stop()
  }
}

const usedBy = async ({ pids }: Parts): Promise<Demands> =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(pids).map(async ([name, pid]) => [name, (await processorMs([pid])) / 1_000]),
    ),
  )

/** Seconds of processor time that each process takes in a second without work. */
async function idleOf(parts: Parts): Promise<Demands> {
  await delay(IDLE_SECONDS * 1_000)
  const before = await usedBy(parts)
  await delay(IDLE_SECONDS * 1_000)
  const after = await usedBy(parts)
  const idle = mapValues(after, (value, name) => (value - (before[name] ?? 0)) / IDLE_SECONDS)
  print(`without work, ms of each second: ${row(mapValues(idle, (value) => value * 1_000))}`)
  return idle
}

/** @param run does work @returns how many units of it */
async function demandOf(
  parts: Parts,
  idle: Demands,
  run: () => Promise<number>,
  name: string,
): Promise<Demands> {
  const [before, bytes, begin] = [await usedBy(parts), await sizeOf(parts), performance.now()]
  const units = await run()
  const seconds = (performance.now() - begin) / 1_000
  const after = await usedBy(parts)
  const demand = mapValues(after, (value, at) =>
    Math.max(0, (value - (before[at] ?? 0) - seconds * (idle[at] ?? 0)) / units),
  )
  const grown = ((await sizeOf(parts)) - bytes) / units
  print(
    `${name}: ${row(mapValues(demand, (value) => value * 1e6))} · together ${format(sum(demand) * 1e6)} µs · ${format(grown)} bytes of the database · ${format(units / seconds)} a second`,
  )
  return demand
}

async function sizeOf({ databaseUrl }: Parts): Promise<number> {
  const { rows } = await administer(databaseUrl, 'select pg_database_size(current_database())')
  return Number(rows[0].pg_database_size)
}

/** Measures the additional cost of events that subscribers get. */
async function deliveryDemand(parts: Parts, idle: Demands): Promise<Demands> {
  const all = new Subscribers(`${parts.url}/graphql`)
  const url = `${parts.url}/api/v1/events`
  const tick = async () => {
    for (let sent = 0; sent < EVENTS; sent++) {
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title: `tick ${Date.now()}` }),
      })
      await delay(20)
    }
    return EVENTS
  }
  const without = await demandOf(parts, idle, tick, 'event without subscribers')
  while (all.open < SUBSCRIBERS) await all.subscribe()
  const within = await demandOf(parts, idle, tick, `event with ${SUBSCRIBERS} subscribers`)
  all.close(all.open)
  const each = mapValues(within, (value, name) =>
    Math.max(0, (value - (without[name] ?? 0)) / SUBSCRIBERS),
  )
  print(`delivery to a subscriber: ${row(mapValues(each, (value) => value * 1e6))}`)
  return each
}

function printCores(demands: Readonly<Record<string, Demands>>): void {
  print(
    `\n## Cores for multiples of a team: ${Object.entries(TEAM)
      .map(([unit, rate]) => `${rate} × ${unit}`)
      .join(', ')} a second`,
  )
  for (const times of [1, 10, 100, 1_000])
    print(
      `${times} times: ${row(
        coresFor(
          demands,
          mapValues(TEAM, (rate) => rate * times),
        ),
      )}`,
    )
}

/** @returns the busy part of the product's core */
async function busyWhile(run: () => Promise<unknown>): Promise<number> {
  const [before, begin] = [busyMs(), performance.now()]
  await run()
  return (busyMs() - before) / (performance.now() - begin)
}

/**
 * Compares the model with the product at one and two times a load. What a request takes among many others is known;
 * what it takes besides is learned at a smaller load.
 * @param demand of one request among many others @param others busy part of the core without load
 */
async function compare(
  name: string,
  { send }: Unit,
  demand: number,
  others: number,
): Promise<void> {
  const oneTime = ONE_TIME / demand
  const measure = async (rate: number) => {
    let samples: Sample[] = []
    const busy = await busyWhile(async () => {
      samples = await openLoop(send, rate, MODEL_SECONDS, 'random')
    })
    return { seconds: summarize(samples.map(({ took }) => took)).mean / 1_000, busy, samples }
  }
  const rate = oneTime * LEARNED_AT
  const learned = await measure(rate)
  const setup = setupOf(demand, rate, 1 - (1 - learned.busy) / (1 - others))
  const withoutWaits = responseTime({ demand, setup, waits: 0 }, rate, others)
  const served = { demand, setup, waits: Math.max(0, learned.seconds - withoutWaits) }
  print(
    `${name}, at ${LEARNED_AT} times: ${format(rate)} a second · busy ${format(100 * learned.busy)} %, ${format(100 * others)} % without load · mean ${format(learned.seconds * 1_000)} ms: ${format(demand * 1_000)} ms of the processor among others, ${format(setup * 1_000)} ms more where all is idle, waits of ${format(served.waits * 1_000)} ms (n = ${learned.samples.length})`,
  )
  for (const times of [1, 2]) await compareAt(oneTime * times, times)

  async function compareAt(rate: number, times: number): Promise<void> {
    const busy = 1 - (1 - others) * (1 - busyWith(served, rate))
    const seconds = responseTime(served, rate, others)
    const slot = name.startsWith('execution') ? waitForSlot(SLOTS, seconds, rate) : 0
    const predicted = seconds + slot
    const measured = await measure(rate)
    print(
      `${name}, ${times} times: ${format(rate)} a second · busy: predicted ${format(100 * busy)} %, measured ${format(100 * measured.busy)} % · mean: predicted ${format(predicted * 1_000)} ms, measured ${format(measured.seconds * 1_000)} ms, ratio ${format(measured.seconds / predicted)} (n = ${measured.samples.length})`,
    )
  }
}

const sum = (values: Demands): number => Object.values(values).reduce((sum, each) => sum + each, 0)

const row = (values: Demands): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${format(value)}`)
    .join(' · ')

const mapValues = (
  values: Readonly<Record<string, number>>,
  map: (value: number, name: string) => number,
): Record<string, number> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]))
