import { setTimeout as delay } from 'node:timers/promises'
import type { Assay } from '../support/assay.ts'
import { type Client, createClient } from './client.ts'
import { accept, store } from './execution.ts'
import { processorMs } from './processor-time.ts'
import { format, print, printSamples } from './samples.ts'

const SCHEDULES = Number(process.env.BENCH_SCHEDULES ?? 10_000)
const STORED_AT_ONCE = 500
const IDLE_SECONDS = 20
const MINUTE_MS = 60_000
const TARGET = 'scheduled'

/** All executions of the bench wait: none is refused by the length of the queue. */
export const SCHEDULES_ENV = { EXECUTIONS_QUEUE: String(4 * SCHEDULES + 1_000) }

/** Schedules that are all due in one minute, what people wait for meanwhile, and the cost of those that are not due. */
export async function benchSchedules(assay: Assay): Promise<void> {
  print(`\n## ${SCHEDULES} schedules due in one minute (BENCH_SCHEDULES)`)
  const client = createClient(assay.url)
  await store(client)
  const pids = Object.values(assay.pids)
  const idleMs = await usedWhileIdle(pids)
  await apply(client, TARGET, [
    {
      ...{ kind: 'testcase', id: TARGET, allowExecuteWithoutCredentials: true },
      scenario: { steps: [{ id: 'wait', wait: { ms: 1 } }] },
    },
  ])
  const began = Date.now()
  await storeSchedules(client, new Date(began + 12 * 60 * MINUTE_MS))
  const storingMs = Date.now() - began
  const withSchedulesMs = await usedWhileIdle(pids)
  const share = (ms: number) => `${format(ms / (IDLE_SECONDS * 10))} % of a core`
  print(`idle without schedules: ${share(idleMs)}, with them: ${share(withSchedulesMs)}`)

  // The next full minute behind the time that storing takes, if it is slower now.
  const due = new Date(Math.ceil((Date.now() + 1.5 * storingMs) / MINUTE_MS + 0.2) * MINUTE_MS)
  await storeSchedules(client, due)
  await delay(+due - Date.now())
  const interactive: number[] = []
  const usedBefore = await processorMs(pids)
  let started = 0
  while (started < SCHEDULES) {
    const from = performance.now()
    await accept(client)
    interactive.push(performance.now() - from)
    started = await count(client)
  }
  print(`all accepted ${format((Date.now() - +due) / 1_000)} s after they were due`)
  const usedMs = (await processorMs(pids)) - usedBefore
  const ended = await count(client, '[COMPLETED]')
  print(
    `processor time meanwhile: ${format(usedMs / 1_000)} s, in which ${ended} of them ran to their end`,
  )
  printSamples('execute meanwhile, until it is accepted', interactive)
  await delay(2_000)
  print(`executions of schedules: ${await count(client)} of ${SCHEDULES}`)
}

/** Stores all schedules with one time of a day. */
async function storeSchedules(client: Client, due: Date): Promise<void> {
  const cron = `${due.getUTCMinutes()} ${due.getUTCHours()} * * *`
  for (let first = 0; first < SCHEDULES; first += STORED_AT_ONCE) {
    const length = Math.min(STORED_AT_ONCE, SCHEDULES - first)
    await apply(
      client,
      `due-${first}`,
      Array.from({ length }, (_, n) => ({
        ...{ kind: 'schedule', id: `due-${first + n}`, cron, target: TARGET },
      })),
    )
  }
  if (Date.now() >= +due)
    throw new Error('Storing schedules took longer than the time until they are due')
}

const apply = (client: Client, set: string, artifacts: object[]) =>
  client.graphql(
    'mutation ($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { dryRun } }',
    { input: { set, artifacts } },
  )

async function count(client: Client, states = 'null'): Promise<number> {
  const { executionResults } = await client.graphql<{ executionResults: { totalCount: number } }>(
    `{ executionResults(first: 1, filter: { startedBy: [SCHEDULE], states: ${states} }) { totalCount } }`,
  )
  return executionResults.totalCount
}

async function usedWhileIdle(pids: readonly number[]): Promise<number> {
  await delay(5_000)
  const before = await processorMs(pids)
  await delay(IDLE_SECONDS * 1_000)
  return (await processorMs(pids)) - before
}
