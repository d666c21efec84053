import type { Assay } from '../support/assay.ts'
import { type Client, createClient } from './client.ts'
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
    await createSuite(client, { id, testCases, maxParallel })
    const before = await processorMs(Object.values(assay.pids))
    const seconds = (await executeSuite(client, id, SCENARIOS)) / 1_000
    const used = (await processorMs(Object.values(assay.pids))) - before
    print(
      `maxParallel ${maxParallel}: ${format(seconds)} s, ${format(used / SCENARIOS)} ms of processor time for each scenario, without the sandboxed process`,
    )
  }
}

export const createSuite = (
  client: Client,
  suite: { id: string; testCases: string[]; maxParallel: number },
) => client.graphql(CREATE, { input: { ...suite, name: suite.id } })

/** Waits for its end. @returns how long it ran (ms) */
export async function executeSuite(client: Client, id: string, scenarios: number): Promise<number> {
  const credentials = { userId: 'bench', password: 'secret' }
  const { execute } = await client.graphql<Ended>(EXECUTE, {
    input: { contextId: id, credentials, wait: true },
  })
  const { state, started, ended, progress } = execute
  if (state !== 'COMPLETED' || progress.scenariosEnded !== scenarios)
    throw new Error(`It ended ${JSON.stringify(execute)}`)
  return Date.parse(ended) - Date.parse(started)
}
