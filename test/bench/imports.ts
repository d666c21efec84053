import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { format, print, summarize } from './samples.ts'

const ROOT = join(import.meta.dirname, '../..')
const RUNS = 5

/** What a start leaves out, or loads only for those who need it. */
const LEFT_OUT = [
  '@apollo/gateway',
  'istanbul-lib-instrument',
  'xmlbuilder2',
  '@nats-io/transport-node',
]

interface Cost {
  ms: number
  mebibytes: number
}

/** What loading the product costs, and what each of those packages would add to it. */
export async function benchImports(): Promise<void> {
  print(`\n## Loading code: processor time and resident memory after a collection, p50 of ${RUNS}`)
  const samples = new Map<string, Cost[]>()
  for (let run = 0; run < RUNS; run++)
    for (const name of ['', ...LEFT_OUT])
      samples.set(name, [...(samples.get(name) ?? []), await costOf(name)])
  const p50 = (name: string, unit: keyof Cost) =>
    summarize((samples.get(name) ?? []).map((cost) => cost[unit])).p50
  print(`the product itself: ${format(p50('', 'ms'))} ms, ${format(p50('', 'mebibytes'))} MiB`)
  for (const name of LEFT_OUT)
    print(`  + ${name}: ${format(p50(name, 'ms'))} ms, ${format(p50(name, 'mebibytes'))} MiB`)
}

/** @param name a package, loaded into a process that has loaded the product; empty for the product itself */
async function costOf(name: string): Promise<Cost> {
  const script = `
    const product = () => import('./dist/gateway/app.js')
    const subject = ${name ? `() => import('${name}')` : 'product'}
    if (subject !== product) await product()
    gc()
    const [cpu, rss] = [process.cpuUsage(), process.memoryUsage.rss()]
    await subject()
    const { user, system } = process.cpuUsage(cpu)
    gc()
    const mebibytes = (process.memoryUsage.rss() - rss) / 1024 ** 2
    console.log(JSON.stringify({ ms: (user + system) / 1000, mebibytes }))
    process.exit()`
  const args = ['--expose-gc', '--input-type=module', '--eval', script]
  const env = { ...process.env, APOLLO_TELEMETRY_DISABLED: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
  return JSON.parse(stdout)
}
