import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Assay } from '../support/assay.ts'
import { benchBridge } from './bridge.ts'
import { benchDev } from './dev.ts'
import { benchExecution } from './execution.ts'
import { benchImports } from './imports.ts'
import { printLoad, printMachine } from './machine.ts'
import { printMemory } from './memory.ts'
import { benchOverload } from './overload/main.ts'
import { benchRequests } from './requests.ts'
import { benchScale } from './scale/main.ts'
import { benchStartup } from './startup.ts'
import { benchVariants } from './variants.ts'
import { benchWithout, benchWithoutSetting } from './without/main.ts'

/** Prints what docs/internals/performance.md quotes. It judges nothing: the reader compares. */
printMachine()
if (process.argv.includes('tried')) {
  await benchImports()
  await benchVariants()
} else if (process.argv.includes('overload')) {
  await benchOverload()
} else if (process.argv.includes('tracing')) {
  await benchWithout('tracing')
} else if (process.argv.includes('compression')) {
  await benchWithout('compression')
} else if (process.argv.includes('mcp')) {
  await benchWithoutSetting('mcp')
} else if (process.argv.includes('scale')) {
  await benchScale()
} else if (process.argv.includes('bridge')) {
  await benchBridge()
} else if (process.argv.includes('dev')) {
  await benchDev()
} else {
  const cache = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const assay = await benchStartup(cache)
  try {
    if (!process.argv.includes('starts')) await benchRunning(assay)
  } finally {
    await assay.stop()
    await rm(cache, { recursive: true, force: true })
  }
}
printLoad()

/** Measures a running product. */
async function benchRunning(assay: Assay): Promise<void> {
  await printMemory(assay, '30 s after ready', 30)
  await benchExecution(assay)
  await printMemory(assay, 'right after the executions')
  await printMemory(assay, '30 s later', 30)
  await benchRequests(assay)
  await printMemory(assay, 'right after the requests')
}
