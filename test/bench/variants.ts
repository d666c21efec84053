import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { type Assay, startAssay } from '../_support/assay.ts'
import { createClient } from './client.ts'
import { execute, store } from './execution.ts'
import { residentMebibytes } from './memory.ts'
import { format, print, summarize } from './samples.ts'

const STARTS = 7
const EXECUTIONS = 100
const IDLE_SECONDS = 20

interface Variant {
  name: string
  env: Record<string, string>
}

/** Settings of Node that everybody can give, each against none, in turns so that all meet the same machine. */
export async function benchVariants(): Promise<void> {
  const variants: Variant[] = [
    { name: 'as it is', env: {} },
    { name: 'NODE_DISABLE_COMPILE_CACHE=1', env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
    {
      name: 'NODE_OPTIONS=--max-semi-space-size=8',
      env: { NODE_OPTIONS: '--max-semi-space-size=8' },
    },
  ]
  print(`\n## Settings of Node: ${STARTS} later starts and ${EXECUTIONS} executions each`)
  const running: { variant: Variant; assay: Assay; startMs: number[]; cpuMs: number[] }[] = []
  try {
    for (const variant of variants) {
      const env = { LOG_LEVEL: 'info', ...variant.env }
      const assay = await startAssay({ mode: 'in-process', env })
      running.push({ variant, assay, startMs: [], cpuMs: [] })
    }
    for (let run = 0; run < STARTS; run++)
      for (const { assay, startMs, cpuMs } of running) {
        await assay.kill('server', 'SIGTERM')
        const begin = performance.now()
        await assay.restart('server')
        startMs.push(performance.now() - begin)
        cpuMs.push(await processorMs(assay.pids.server ?? 0))
      }
    await delay(IDLE_SECONDS * 1_000)
    for (const { variant, assay, startMs, cpuMs } of running) {
      const pid = assay.pids.server ?? 0
      const idle = await residentMebibytes(pid)
      const client = createClient(assay.url)
      await store(client)
      for (let run = 0; run < EXECUTIONS; run++) await execute(client)
      print(
        `${variant.name}: start p50 ${format(summarize(startMs).p50)} ms, min ${format(summarize(startMs).min)} ms · processor time of a start min ${format(summarize(cpuMs).min)} ms · idle ${idle} MiB · right after the executions ${await residentMebibytes(pid)} MiB`,
      )
    }
  } finally {
    for (const { assay } of running) await assay.stop()
  }
}

const TICK_MS = 10

/** Processor time of a process so far, without its children. */
async function processorMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
