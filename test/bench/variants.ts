import { setTimeout as delay } from 'node:timers/promises'
import { type Assay, startAssay } from '../support/assay.ts'
import { createClient } from './client.ts'
import { execute, store } from './execution.ts'
import { residentMebibytes } from './memory.ts'
import { ownProcessorMs } from './processor-time.ts'
import { joinedQuery, send } from './requests.ts'
import { format, print, summarize } from './samples.ts'

const STARTS = 7
const IDLE_SECONDS = 20
const EXECUTIONS = 100
const ROUNDS = 5
const ROUND_SECONDS = 4

const VARIANTS: Record<string, Record<string, string>> = {
  'as it is': {},
  'NODE_DISABLE_COMPILE_CACHE=1': { NODE_DISABLE_COMPILE_CACHE: '1' },
  'NODE_OPTIONS=--max-semi-space-size=8': { NODE_OPTIONS: '--max-semi-space-size=8' },
}

interface Measured {
  name: string
  assay: Assay
  startMs: number[]
  startCpuMs: number[]
  idleMebibytes: number
  busyMebibytes: number
  queryCpuMicroseconds: number[]
}

/** Settings of Node that everybody can give, in turns, so that all of them meet the same machine. */
export async function benchVariants(): Promise<void> {
  print(
    `\n## Settings of Node, in turns: ${STARTS} later starts, ${EXECUTIONS} executions, ${ROUNDS} × ${ROUND_SECONDS} s of queries`,
  )
  const all: Measured[] = []
  try {
    for (const [name, env] of Object.entries(VARIANTS)) all.push(await begin(name, env))
    for (let run = 0; run < STARTS; run++) for (const each of all) await restart(each)
    await delay(IDLE_SECONDS * 1_000)
    for (const each of all) await executeMany(each)
    for (let round = 0; round <= ROUNDS; round++)
      for (const each of all) await query(each, round > 0)
    for (const each of all) report(each)
  } finally {
    for (const { assay } of all) await assay.stop()
  }
}

async function begin(name: string, env: Record<string, string>): Promise<Measured> {
  const assay = await startAssay({ mode: 'in-process', env: { LOG_LEVEL: 'info', ...env } })
  const nothing = { startMs: [], startCpuMs: [], idleMebibytes: 0, busyMebibytes: 0 }
  return { name, assay, ...nothing, queryCpuMicroseconds: [] }
}

async function restart({ assay, startMs, startCpuMs }: Measured): Promise<void> {
  await assay.kill('server', 'SIGTERM')
  const begin = performance.now()
  await assay.restart('server')
  startMs.push(performance.now() - begin)
  startCpuMs.push(await ownProcessorMs(assay.pids.server ?? 0))
}

async function executeMany(measured: Measured): Promise<void> {
  const { assay } = measured
  measured.idleMebibytes = await residentMebibytes(assay.pids.server ?? 0)
  const client = createClient(assay.url)
  await store(client)
  for (let run = 0; run < EXECUTIONS; run++) await execute(client)
  measured.busyMebibytes = await residentMebibytes(assay.pids.server ?? 0)
}

/** @param counts false while the compiler still learns the path */
async function query({ assay, queryCpuMicroseconds }: Measured, counts: boolean): Promise<void> {
  const request = await joinedQuery(assay)
  const before = await ownProcessorMs(assay.pids.server ?? 0)
  const { requests } = await send(request, ROUND_SECONDS)
  const microseconds = ((await ownProcessorMs(assay.pids.server ?? 0)) - before) * 1_000
  if (counts) queryCpuMicroseconds.push(microseconds / requests.total)
}

function report({ name, startMs, startCpuMs, ...rest }: Measured): void {
  const [start, cpu, queries] = [startMs, startCpuMs, rest.queryCpuMicroseconds].map(summarize)
  const parts = [
    `start p50 ${format(start?.p50 ?? NaN)} ms`,
    `processor time of a start p50 ${format(cpu?.p50 ?? NaN)} ms, of a query p50 ${format(queries?.p50 ?? NaN)} µs`,
    `idle ${rest.idleMebibytes} MiB, right after the executions ${rest.busyMebibytes} MiB`,
  ]
  print(`${name}: ${parts.join(' · ')}`)
}
