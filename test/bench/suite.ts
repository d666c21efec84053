import type { Assay } from '../_support/assay.ts'
import { createClient } from './client.ts'
import { ID, store } from './execution.ts'
import { processorMs } from './processor-time.ts'
import { format, print } from './samples.ts'

const SCENARIOS = 1_000
const CREATE = 'mutation Suite($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'
const EXECUTE = `mutation Execute($input: ExecuteInput!) {
  execute(input: $input) { state started ended progress { scenariosEnded } } }`

interface Ended {
  execute: { state: string; started: string; ended: string; progress: { scenariosEnded: number } }
}

/** A suite of the same scenario, over and over. */
export async function benchSuite(assay: Assay): Promise<void> {
  print(`\n## A suite of ${SCENARIOS} scenarios that do nothing`)
  const client = createClient(assay.url)
  await store(client)
  for (const maxParallel of [4, 1]) {
    const id = `thousand-${maxParallel}`
    const testCases = Array.from({ length: SCENARIOS }, () => ID)
    await client.graphql(CREATE, { input: { id, name: id, testCases, maxParallel } })
    const before = await processorMs(Object.values(assay.pids))
    const credentials = { userId: 'bench', password: 'secret' }
    const { execute } = await client.graphql<Ended>(EXECUTE, {
      input: { contextId: id, credentials, wait: true },
    })
    const { state, started, ended, progress } = execute
    if (state !== 'COMPLETED' || progress.scenariosEnded !== SCENARIOS)
      throw new Error(`It ended ${JSON.stringify(execute)}`)
    const seconds = (Date.parse(ended) - Date.parse(started)) / 1_000
    const used = (await processorMs(Object.values(assay.pids))) - before
    print(
      `maxParallel ${maxParallel}: ${format(seconds)} s, ${format(used / SCENARIOS)} ms of processor time for each scenario, without the sandboxed process`,
    )
  }
}
