import { join } from 'node:path'
import { type Assay, startAssay } from '../support/assay.ts'
import { print, printSamples } from './samples.ts'

const FIRST_STARTS = 3
const LATER_STARTS = 5

/**
 * From spawning the process until it says that it serves. A first start finds neither data nor compiled code.
 * @param cache an empty folder for compiled code @returns the product, still running
 */
export async function benchStartup(cache: string): Promise<Assay> {
  print('\n## Start to ready, everything in one process on the embedded database')
  const first: number[] = []
  let assay: Assay | undefined
  for (let run = 0; run < FIRST_STARTS; run++) {
    await assay?.stop()
    const env = { LOG_LEVEL: 'info', NODE_COMPILE_CACHE: join(cache, String(run)) }
    assay = await timed(first, () => startAssay({ mode: 'in-process', env }))
  }
  if (!assay) throw new Error('Nothing was started')
  printSamples('first start, empty folder', first)

  const later: number[] = []
  const stops: number[] = []
  for (let run = 0; run < LATER_STARTS; run++) {
    const { kill, restart } = assay
    await timed(stops, () => kill('server', 'SIGTERM'))
    await timed(later, () => restart('server'))
  }
  printSamples('later start', later)
  printSamples('stop', stops)
  return assay
}

async function timed<Result>(samples: number[], work: () => Promise<Result>): Promise<Result> {
  const begin = performance.now()
  const result = await work()
  samples.push(performance.now() - begin)
  return result
}
