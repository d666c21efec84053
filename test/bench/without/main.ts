import { cpSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'esbuild'
// @ts-expect-error: a script of the build, without types
import { bundle } from '../../../bundle.js'
import { type Running, startProduct } from '../events/product.ts'
import { KINDS, type Offer } from '../overload/kinds.ts'
import { closedLoop } from '../overload/offered.ts'
import { processorMs } from '../processor-time.ts'
import { format, print, summarize } from '../samples.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20)
const WARM_UP_SECONDS = 6
const SECONDS = 2
const CALLERS = 8
const ROOT = join(import.meta.dirname, '../../..')

/** Parts of the product that are off by default, or unless a client asks for them, and the module that each is called by. */
const PARTS = {
  tracing: { module: /platform\/tracing\/trace\.ts$/, when: 'Tracing that is off' },
  compression: {
    module: /gateway\/http\/compression\.ts$/,
    when: 'Compression that no client asks for',
  },
} as const

/** A part that a setting leaves out. */
const SETTINGS = {
  mcp: { on: { MCP: 'on', MCP_WRITE: 'on' }, when: 'Tools for assistants that no client calls' },
} as const

/** A part that does nothing, in place of its module. */
const without = (part: keyof typeof PARTS): Plugin => ({
  name: `without-${part}`,
  setup: ({ onLoad }) =>
    onLoad({ filter: PARTS[part].module }, () => ({
      contents: readFileSync(join(import.meta.dirname, `${part}.ts`), 'utf8'),
      loader: 'ts',
    })),
})

/** Beside each other, as the build makes them: they share parts, whose classes keep their names. */
const PROGRAMS = {
  'gateway.main': 'gateway/main.ts',
  'events.main': 'subgraphs/events/main.ts',
  'test-execution.main': 'subgraphs/test-execution/main.ts',
  'worker.main': 'subgraphs/test-execution/worker.ts',
  'accounts.main': 'subgraphs/accounts/main.ts',
}

interface Contender {
  running: Running
  offers: Record<string, Offer>
}

/** Measures the cost of a part that is not used: the product beside one without the calls, in alternating rounds. */
export async function benchWithout(part: keyof typeof PARTS): Promise<void> {
  const dist = join(ROOT, `dist.${process.pid}.bench`)
  cpSync(join(ROOT, 'dist'), dist, { recursive: true })
  try {
    await bundle(PROGRAMS, dist, [without(part)])
    await alternate(PARTS[part].when, [{}, { dist }])
  } finally {
    rmSync(dist, { recursive: true, force: true })
  }
}

/** The same for a part that a setting switches on. */
export async function benchWithoutSetting(part: keyof typeof SETTINGS): Promise<void> {
  await alternate(SETTINGS[part].when, [{ env: SETTINGS[part].on }, {}])
}

interface Variant {
  env?: Record<string, string>
  dist?: string
}

/** @param variants with the part, then without it */
async function alternate(when: string, variants: readonly Variant[]): Promise<void> {
  print(
    `\n## ${when}, against a product without it: ${ROUNDS} alternating rounds of ${SECONDS} s, ${CALLERS} callers`,
  )
  const contenders: Contender[] = []
  try {
    for (const each of variants) contenders.push(await start(each))
    for (const kind of ['queries', 'events']) await compare(kind, contenders)
  } finally {
    for (const { running, offers } of contenders) {
      for (const { stop } of Object.values(offers)) stop()
      await running.stop()
    }
  }
}

async function start({ env, dist }: Variant): Promise<Contender> {
  const running = await startProduct({ LOG_LEVEL: 'warn', EXAMPLES: 'true', ...env }, dist)
  const offers: Record<string, Offer> = {}
  for (const kind of ['queries', 'events']) {
    const offer = await KINDS[kind]?.(running)
    if (!offer) continue
    offers[kind] = offer
    await closedLoop(offer.send, CALLERS, WARM_UP_SECONDS)
  }
  return { running, offers }
}

async function compare(kind: string, contenders: readonly Contender[]): Promise<void> {
  const rounds: number[][] = contenders.map(() => [])
  for (let round = 0; round < ROUNDS; round++) {
    const order = [...contenders.entries()]
    for (const [at, contender] of round % 2 ? order.reverse() : order)
      rounds[at]?.push(await microseconds(contender, kind))
  }
  const [withIt = [], bare = []] = rounds
  const ratios = withIt.map((value, round) => value / (bare[round] ?? NaN))
  const { p50, min, max } = summarize(ratios)
  print(
    `${kind}: ${format(summarize(withIt).p50)} µs of the product's processor time each, ${format(summarize(bare).p50)} µs without · ratio of a round: median ${p50.toFixed(3)} (${min.toFixed(3)} to ${max.toFixed(3)})`,
  )
  print(`  ratios: ${ratios.map((each) => each.toFixed(3)).join(' ')}`)
}

/** Processor time of the product for one request. */
async function microseconds({ running, offers }: Contender, kind: string): Promise<number> {
  const offer = offers[kind]
  if (!offer) return NaN
  const pid = running.assay.pids.server ?? 0
  const [before, done] = [await processorMs([pid]), await offer.progress()]
  await closedLoop(offer.send, CALLERS, SECONDS)
  return (((await processorMs([pid])) - before) * 1_000) / ((await offer.progress()) - done)
}
