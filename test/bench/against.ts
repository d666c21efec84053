import { join } from 'node:path'
import { createLauncher } from '../../runner/sandbox/launcher.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { type Client, createClient } from './client.ts'
import { drain, storeHolding, WAITING } from './drain.ts'
import { execute, ID, store } from './execution.ts'
import { processorMsOf } from './processor-time.ts'
import { format, print, summarize } from './samples.ts'
import { measureStart, sandboxCommandOf } from './sandbox-start.ts'
import { createSuite, executeSuite } from './suite.ts'

const WARM_UP = 300
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 7)
const STARTS = 10
const EXECUTIONS = 100
const SUITES = [100, 1_000]
const MAX_PARALLEL = 4

interface Contender {
  name: string
  sandboxCommand: readonly string[]
  assay: Assay
  client: Client
}

/** Starts the sandboxed processes of both, and ends with this process. */
const launcher = createLauncher()

/** Figures of one round by what they are of. */
type Round = Record<string, number>

/** This checkout and another one, built, in alternating rounds: both meet the same machine. */
export async function benchAgainst(checkout: string): Promise<void> {
  print(
    `\n## This checkout against ${checkout}: ${ROUNDS} alternating rounds after ${WARM_UP} executions`,
  )
  const ours = await start('ours', join(import.meta.dirname, '../..'))
  const theirs = await start('theirs', checkout).catch(async (error) => {
    await ours.assay.stop()
    throw error
  })
  try {
    const rounds: Record<string, Round[]> = { ours: [], theirs: [] }
    for (let round = 0; round < ROUNDS; round++)
      for (const contender of round % 2 === 0 ? [ours, theirs] : [theirs, ours])
        rounds[contender.name]?.push(await measure(contender, round))
    report(rounds.ours ?? [], rounds.theirs ?? [])
  } finally {
    await Promise.all([ours.assay.stop(), theirs.assay.stop()])
  }
}

async function start(name: string, checkout: string): Promise<Contender> {
  const sandboxCommand = await sandboxCommandOf(checkout)
  const assay = await startAssay({
    mode: 'in-process',
    env: { LOG_LEVEL: 'info' },
    dist: join(checkout, 'dist'),
  })
  const client = createClient(assay.url)
  await store(client)
  await storeHolding(client)
  for (let run = 0; run < WARM_UP; run++) await execute(client)
  return { name, sandboxCommand, assay, client }
}

async function measure(contender: Contender, round: number): Promise<Round> {
  const { sandboxCommand, assay, client } = contender
  const waiting = await measureWaiting(contender)
  if (process.argv.includes('cost')) return waiting
  const starts = []
  for (let start = 0; start < STARTS; start++)
    starts.push(await measureStart(launcher, sandboxCommand))
  const pids = Object.values(assay.pids)
  const suites: Round = {}
  for (const scenarios of SUITES)
    Object.assign(suites, await measureSuite(contender, scenarios, round))
  const { drainMs, runMs } = await drain(client, pids)
  const [walls, times] = [starts.map(({ ms }) => ms), starts.map(({ cpu }) => cpu)]
  return {
    'sandbox start until it takes work, p50 of wall time (ms)': summarize(walls).p50,
    'sandbox start until it takes work, mean processor time (ms)': summarize(times).mean,
    ...waiting,
    ...suites,
    '100 that wait, executions per second until all have ended': (WAITING * 1_000) / drainMs,
    '100 that wait, processor time of each without its sandbox (ms)': runMs,
  }
}

async function measureWaiting({ assay, client }: Contender): Promise<Round> {
  const pids = Object.values(assay.pids)
  const executions: number[] = []
  const [usedMs = NaN] = await processorMsOf([pids], async () => {
    for (let run = 0; run < EXECUTIONS; run++) {
      const begin = performance.now()
      await execute(client)
      executions.push(performance.now() - begin)
    }
  })
  return {
    'one execution that waits, p50 of wall time (ms)': summarize(executions).p50,
    'one execution, processor time without its sandbox until all rests (ms)': usedMs / EXECUTIONS,
  }
}

async function measureSuite({ assay, client }: Contender, scenarios: number, round: number) {
  const pids = Object.values(assay.pids)
  const id = `suite-${scenarios}-${round}`
  const testCases = Array(scenarios).fill(ID)
  await createSuite(client, { id, testCases, maxParallel: MAX_PARALLEL })
  let suiteMs = NaN
  const [usedMs = NaN] = await processorMsOf([pids], async () => {
    suiteMs = await executeSuite(client, id, scenarios)
  })
  return {
    [`suite of ${scenarios}, wall time (ms)`]: suiteMs,
    [`suite of ${scenarios}, processor time of each without its sandbox (ms)`]: usedMs / scenarios,
  }
}

/** A ratio below 1 says that ours is faster, but for executions per second. */
function report(ours: readonly Round[], theirs: readonly Round[]): void {
  for (const name of Object.keys(ours[0] ?? {})) {
    const of = (rounds: readonly Round[]) => rounds.map((round) => round[name] ?? NaN)
    const ratios = of(ours).map((value, round) => value / (of(theirs)[round] ?? NaN))
    const medians = [of(ours), of(theirs)].map((values) => format(summarize(values).p50))
    print(
      `${name}: ours ${medians[0]}, theirs ${medians[1]}, ratio ${format(summarize(ratios).p50)} (median of rounds)`,
    )
    print(
      `  rounds: ours ${of(ours).map(format).join(' ')} · theirs ${of(theirs).map(format).join(' ')} · ratios ${ratios.map(format).join(' ')}`,
    )
  }
}
