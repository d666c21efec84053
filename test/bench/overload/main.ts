import { type Running, startProduct } from '../events/product.ts'
import { pinLoad, pinProduct } from '../gateway/pinned.ts'
import { format, print, summarize } from '../samples.ts'
import { KINDS, type Kind } from './kinds.ts'
import { closedLoop, openLoop } from './offered.ts'
import { printPhase, recovered, watchMemory } from './report.ts'
import { overloadSubscribers } from './subscribers.ts'

/** For each number of callers, after as long with the first that does not count on its own. */
const PEAK_SECONDS = 4
const CALM_SECONDS = 5
/** Time for which recovery is watched. */
const AFTER_SECONDS = 10
const TIMES = 3
/** Part of the peak that is sent before and after. */
const CALM = 0.2

const SETTINGS = { LOG_LEVEL: 'warn', EXAMPLES: 'true' }

/**
 * Offers three times of what the product can do, and prints what it does of it: `overload [seconds] [kind …]`.
 * Product and database have one core, the load has the other one.
 */
export async function benchOverload(): Promise<void> {
  const args = process.argv.slice(3)
  const seconds = Number(args.find((each) => /^\d+$/.test(each)) ?? 60)
  const isAsked = (name: string) =>
    args.includes(name) ||
    ![...Object.keys(KINDS), 'subscribers'].some((each) => args.includes(each))
  pinLoad()
  for (const [name, kind] of Object.entries(KINDS))
    if (isAsked(name)) await withProduct(name, (running) => overload(running, kind, seconds))
  if (isAsked('subscribers'))
    await withProduct('subscribers', (running) => overloadSubscribers(running, seconds))
}

async function withProduct(name: string, run: (running: Running) => Promise<void>): Promise<void> {
  print(`\n## Overload: ${name}`)
  const running = await startProduct(SETTINGS)
  try {
    await pinProduct([running.assay.pids.server ?? 0, running.databasePid])
    await run(running)
  } finally {
    await running.stop()
  }
}

async function overload(running: Running, kind: Kind, seconds: number): Promise<void> {
  const { send, peak: wait, callers, progress, open, stop } = await kind(running)
  const done = async (run: () => Promise<unknown>) => {
    const [before, begin] = [await progress(), performance.now()]
    await run()
    return ((await progress()) - before) / ((performance.now() - begin) / 1_000)
  }
  let peak = 0
  for (const count of [callers[0] ?? 1, ...callers]) {
    const rate = await done(() => closedLoop(wait, count, PEAK_SECONDS))
    print(`${format(rate)} a second of ${count} callers in a closed loop`)
    peak = Math.max(peak, rate)
  }
  const calm = await openLoop(send, peak * CALM, CALM_SECONDS)
  printPhase('calm', calm, CALM_SECONDS)
  const usual = summarize(calm.map(({ took }) => took)).p50
  await open()
  const memory = watchMemory(running.assay.pids.server ?? 0)
  const [before, begin] = [await progress(), performance.now()]
  const own = process.cpuUsage()
  const offered = openLoop(send, peak * TIMES, seconds)
  const after = await new Promise<{ rate: number; calm: Promise<typeof calm> }>((resolve) =>
    setTimeout(async () => {
      const { user, system } = process.cpuUsage(own)
      print(`the load took ${format((user + system) / 1e4 / seconds)} % of its core`)
      const calm = openLoop(send, peak * CALM, AFTER_SECONDS)
      const rate = ((await progress()) - before) / ((performance.now() - begin) / 1_000)
      resolve({ rate, calm })
    }, seconds * 1_000),
  )
  printPhase(`${TIMES} times the peak for ${seconds} s`, await offered, seconds)
  print(
    `throughput: ${format(after.rate)} a second, ${format((100 * after.rate) / peak)} % of the peak`,
  )
  const later = await after.calm
  printPhase('calm after it', later, AFTER_SECONDS)
  print(`recovered after ${format(recovered(later, usual))} s`)
  const sizes = memory.stop()
  print(
    `memory: ${sizes[0]} MiB before, at most ${Math.max(...sizes)}, ${sizes.at(-1)} MiB in the end`,
  )
  stop()
}
