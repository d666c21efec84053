import { causeOf } from '../../subgraphs/test-execution/executions/causes/cause.ts'
import type { Assay } from '../support/assay.ts'
import { type Client, createClient } from './client.ts'
import { CREDENTIALS, execute, ID, store } from './execution.ts'
import { processorMs } from './processor-time.ts'
import { format, print, summarize } from './samples.ts'

const WARM_UP = 100
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20)
const RUNS = 20
/** Causes that are made of each failure: one alone is shorter than the clock can tell. */
const REPEATED = 1_000
const FAILS = 'fails'

/** Processor time of a cause beside that of the execution that it is of, in alternating rounds. */
export async function benchCauses(assay: Assay): Promise<void> {
  print(`\n## Causes: ${ROUNDS} alternating rounds of ${RUNS} executions, ${WARM_UP} before`)
  const client = createClient(assay.url)
  const pids = Object.values(assay.pids)
  await store(client)
  await storeFailing(client)
  for (let run = 0; run < WARM_UP; run++) await fail(client)
  const rounds: { failing: number; passing: number; cause: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const order = [fail, execute]
    const ms = new Map<unknown, number>()
    let last = ''
    for (const run of round % 2 === 0 ? order : order.toReversed()) {
      const before = await processorMs(pids)
      for (let each = 0; each < RUNS; each++) {
        const id = await run(client)
        if (run === fail) last = id
      }
      ms.set(run, (await processorMs(pids)) - before)
    }
    const cause = await causeMs(client, last)
    rounds.push({
      failing: (ms.get(fail) ?? NaN) / RUNS,
      passing: (ms.get(execute) ?? NaN) / RUNS,
      cause,
    })
  }
  const median = (of: (round: (typeof rounds)[number]) => number) => summarize(rounds.map(of)).p50
  print(`failing execution without its sandbox: ${format(median(({ failing }) => failing))} ms`)
  print(`passing execution without its sandbox: ${format(median(({ passing }) => passing))} ms`)
  print(`cause of one: ${(median(({ cause }) => cause) * 1_000).toFixed(1)} µs`)
  const share = median(({ cause, failing }) => cause / failing)
  print(`share of the cause: ${(share * 100).toFixed(2)} % (median of rounds)`)
  print(
    `  rounds: ${rounds.map(({ cause, failing }) => ((cause / failing) * 100).toFixed(2)).join(' ')}`,
  )
}

async function storeFailing(client: Client): Promise<void> {
  const expect = [{ path: '$', assert: 'equals', value: { id: 7, name: 'nothing' } }]
  const scenario = { steps: [{ id: 'nothing', call: { function: 'nothing' }, expect }] }
  await client.graphql(
    'mutation Store($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    { input: { id: FAILS, name: FAILS, componentUnderTest: ID, scenario } },
  )
}

async function fail(client: Client): Promise<string> {
  const path = `/testcase/${FAILS}/execute?synchron=true`
  const headers = { credentials: CREDENTIALS }
  const { id, state } = await client.rest<{ id: string; state: string }>('POST', path, { headers })
  if (state !== 'FAILED') throw new Error(`It ended ${state}`)
  return id
}

/** An execution as `causeOf` takes it. */
type Ended = Parameters<typeof causeOf>[0] & Parameters<typeof causeOf>[1]

async function causeMs(client: Client, id: string): Promise<number> {
  const { ended } = await client.graphql<{ ended: Ended }>(
    `query ($id: ID!) { ended: executionResult(id: $id) {
      type startedBy state message errorCode revisions { kind id: artifactId revision }
      steps { id: stepId path name state message isOptional }
      validationFailures { name message stepId path assert } } }`,
    { id },
  )
  const { user, system } = process.cpuUsage()
  for (let each = 0; each < REPEATED; each++) JSON.stringify(causeOf(ended, ended))
  const used = process.cpuUsage({ user, system })
  return (used.user + used.system) / 1_000 / REPEATED
}
