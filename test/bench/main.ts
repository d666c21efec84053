import { benchExecution } from './execution.ts'
import { printLoad, printMachine } from './machine.ts'
import { printMemory } from './memory.ts'
import { benchRequests } from './requests.ts'
import { benchStartup } from './startup.ts'

/** Prints what docs/performance.md quotes. It judges nothing: the reader compares. */
printMachine()
const assay = await benchStartup()
try {
  await printMemory(assay, '30 s after ready', 30)
  await benchExecution(assay)
  await printMemory(assay, 'right after the executions')
  await printMemory(assay, '15 s later', 15)
  await benchRequests(assay)
  await printMemory(assay, 'right after the requests')
} finally {
  await assay.stop()
}
printLoad()
