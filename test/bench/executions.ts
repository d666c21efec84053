import { startAssay } from '../support/assay.ts'
import { benchAgainst } from './against.ts'
import { benchCauses } from './causes.ts'
import { benchDrain } from './drain.ts'
import { benchExecution } from './execution.ts'
import { benchExecutionMemory } from './execution-memory.ts'
import { printLoad, printMachine } from './machine.ts'
import { benchRevisionIndex } from './revision-index.ts'
import { benchSandboxStart } from './sandbox-start.ts'
import { benchSchedules, SCHEDULES_ENV } from './schedules.ts'
import { benchSuite } from './suite.ts'

/** Prints what docs/internals/performance.md says about executions. It judges nothing: the reader compares. */
printMachine()
if (process.argv.includes('sandbox')) {
  await benchSandboxStart()
  printLoad()
  process.exit()
}
const [mode, checkout] = process.argv.slice(2)
if (mode === 'against' && checkout) {
  await benchAgainst(checkout)
  printLoad()
  process.exit()
}
const assay = await startAssay({
  mode: 'in-process',
  env: { LOG_LEVEL: 'info', ...(mode === 'schedules' && SCHEDULES_ENV) },
})
try {
  if (process.argv.includes('memory')) await benchExecutionMemory(assay)
  else if (process.argv.includes('causes')) await benchCauses(assay)
  else if (mode === 'revisions') await benchRevisionIndex(assay)
  else if (mode === 'schedules') await benchSchedules(assay)
  else if (process.argv.includes('suite')) await benchSuite(assay)
  else {
    await benchExecution(assay)
    await benchDrain(assay)
  }
} finally {
  await assay.stop()
}
printLoad()
