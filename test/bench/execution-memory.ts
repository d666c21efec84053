import type { Assay } from '../support/assay.ts'
import { createClient } from './client.ts'
import { execute, store } from './execution.ts'
import { printMemory } from './memory.ts'
import { print } from './samples.ts'

const EXECUTIONS = 5_000
const CALLERS = 4
const EVERY = 500

/** Resident memory while many executions come and go. */
export async function benchExecutionMemory(assay: Assay): Promise<void> {
  print(`\n## ${EXECUTIONS} executions by ${CALLERS} callers that wait`)
  const client = createClient(assay.url)
  await store(client)
  for (let done = 0; done < EXECUTIONS; done += EVERY) {
    await printMemory(assay, `after ${done} executions`)
    let left = EVERY
    const caller = async () => {
      while (left-- > 0) await execute(client)
    }
    await Promise.all(Array.from({ length: CALLERS }, caller))
  }
  await printMemory(assay, `after ${EXECUTIONS} executions`)
  await printMemory(assay, '30 s later', 30)
}
