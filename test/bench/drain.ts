import type { Assay } from '../support/assay.ts'
import { type Client, createClient } from './client.ts'
import { accept, endedOf, ID } from './execution.ts'
import { processorMs, readySandboxMs } from './processor-time.ts'
import { format, print } from './samples.ts'

/** Executions that wait for a slot. */
export const WAITING = 100
const ROUNDS = 3
/** Looking costs the product something, too. */
const LOOK_MS = 20
/** The default of `WORKER_SLOTS`. */
const SLOTS = 4
const HOLDING = 'holds-a-slot'

/** Measures the rate at which the queue empties, and the cost of each execution. */
export async function benchDrain(assay: Assay): Promise<void> {
  print(`\n## ${WAITING} executions that wait for a slot, ${ROUNDS} times`)
  const client = createClient(assay.url)
  await storeHolding(client)
  const pids = Object.values(assay.pids)
  for (let round = 0; round < ROUNDS; round++) {
    const { drainMs, acceptedMs, acceptMs, runMs } = await drain(client, pids)
    print(
      `${format((WAITING * 1_000) / drainMs)} per second (all ended ${format(drainMs)} ms after the slots were free, accepted in ${format(acceptedMs)} ms); processor time of each, without the sandboxed process: ${format(acceptMs)} ms to accept it, ${format(runMs)} ms to run it`,
    )
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const ready = await readySandboxMs(pids)
  print(`a sandboxed process has used ${format(ready)} ms of processor time when it is ready`)
}

/** Cost of accepting `WAITING` executions, and to run them once the slots were free; processor time is that of each (ms). */
interface Drained {
  acceptedMs: number
  drainMs: number
  acceptMs: number
  runMs: number
}

/** Lets executions wait for a slot, and then run. `storeHolding` comes first. */
export async function drain(client: Client, pids: number[]): Promise<Drained> {
  const letGo = await holdSlots(client)
  const [begin, before] = [performance.now(), await processorMs(pids)]
  const ids = await Promise.all(Array.from({ length: WAITING }, () => accept(client)))
  const [accepted, between] = [performance.now(), await processorMs(pids)]
  await letGo()
  const released = performance.now()
  await drained(client)
  const drainMs = performance.now() - released
  const after = await processorMs(pids)
  for (const id of ids) await endedOf(client, id)
  return {
    acceptedMs: accepted - begin,
    drainMs,
    acceptMs: (between - before) / WAITING,
    runMs: (after - between) / WAITING,
  }
}

/** Stores what holds a slot. */
export const storeHolding = (client: Client) =>
  client.graphql(
    'mutation Hold($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        id: HOLDING,
        name: HOLDING,
        componentUnderTest: ID,
        scenario: { steps: [{ id: 'hold', wait: { ms: 60_000 } }] },
      },
    },
  )

/** Runs something in every slot. @returns what ends that */
async function holdSlots(client: Client): Promise<() => Promise<void>> {
  const ids: string[] = []
  for (let slot = 0; slot < SLOTS; slot++) ids.push(await accept(client, HOLDING))
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return async () => {
    await Promise.all(
      ids.map((id) =>
        client.graphql(
          'mutation LetGo($id: ID!) { cancelExecution(input: { id: $id }) { state } }',
          { id },
        ),
      ),
    )
  }
}

/** Waits until nothing of the scenario runs any more. */
async function drained(client: Client): Promise<void> {
  const RUNNING = `query Running($id: ID!) {
    executionResults(first: 1, filter: { contextId: $id, states: [RUNNING] }) { nodes { id } } }`
  for (;;) {
    const { executionResults } = await client.graphql<{ executionResults: { nodes: unknown[] } }>(
      RUNNING,
      { id: ID },
    )
    if (executionResults.nodes.length === 0) return
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
