import type { Assay } from '../_support/assay.ts'
import { type Client, createClient } from './client.ts'
import { accept, endedOf, ID } from './execution.ts'
import { processorMs, readySandboxMs } from './processor-time.ts'
import { format, print } from './samples.ts'

const WAITING = 100
const ROUNDS = 3
/** Looking costs the product something, too. */
const LOOK_MS = 100

/** So many executions are accepted at once; how fast does the queue empty, and what does each cost? */
export async function benchDrain(assay: Assay): Promise<void> {
  print(`\n## ${WAITING} executions accepted at once, ${ROUNDS} times`)
  const client = createClient(assay.url)
  for (let round = 0; round < ROUNDS; round++) {
    const pids = Object.values(assay.pids)
    const [begin, before] = [performance.now(), await processorMs(pids)]
    const ids = await Promise.all(Array.from({ length: WAITING }, () => accept(client)))
    const accepted = performance.now()
    await drained(client)
    const seconds = (performance.now() - begin) / 1_000
    const used = (await processorMs(pids)) - before
    print(
      `${format(WAITING / seconds)} per second (accepted in ${format(accepted - begin)} ms, all ended after ${format(seconds * 1_000)} ms); ${format(used / WAITING)} ms of processor time each, without the sandboxed process`,
    )
    for (const id of ids) await endedOf(client, id)
  }
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  const ready = await readySandboxMs(Object.values(assay.pids))
  print(`a sandboxed process has used ${format(ready)} ms of processor time when it is ready`)
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
