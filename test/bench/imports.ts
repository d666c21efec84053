import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { built } from './built.ts'
import { format, print, summarize } from './samples.ts'

const ROOT = join(import.meta.dirname, '../..')
const RUNS = 5

/** Packages that a start leaves out, or loads only on demand. */
const LEFT_OUT = {
  gateway: '@apollo/gateway',
  instrument: 'istanbul-lib-instrument',
  xml: 'xmlbuilder2',
  nats: '@nats-io/transport-node',
}

interface Cost {
  ms: number
  mebibytes: number
}

/** Measures the cost of loading the product, and of each of those packages. */
export async function benchImports(): Promise<void> {
  print(`\n## Loading code: processor time and resident memory after a collection, p50 of ${RUNS}`)
  const { product, ...packages } = await built({ product: 'gateway/app.ts', ...LEFT_OUT })
  const samples = new Map<string, Cost[]>()
  for (let run = 0; run < RUNS; run++)
    for (const subject of [product, ...Object.values(packages)])
      samples.set(subject, [...(samples.get(subject) ?? []), await costOf(subject, product)])
  const p50 = (subject: string) => {
    const costs = samples.get(subject) ?? []
    const of = (unit: keyof Cost) => format(summarize(costs.map((cost) => cost[unit])).p50)
    return `${of('ms')} ms, ${of('mebibytes')} MiB`
  }
  print(`the product itself: ${p50(product)}`)
  for (const [name, address] of Object.entries(packages))
    print(`  + ${LEFT_OUT[name as keyof typeof LEFT_OUT]}: ${p50(address)}`)
}

/** @param subject what is loaded into a process that has loaded the product, or the product itself */
async function costOf(subject: string, product: string): Promise<Cost> {
  const script = `
    const [product, subject] = ${JSON.stringify([product, subject])}
    if (subject !== product) await import(product)
    gc()
    const [cpu, rss] = [process.cpuUsage(), process.memoryUsage.rss()]
    await import(subject)
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
