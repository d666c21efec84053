import type { Assay } from '../support/assay.ts'
import { type Client, createClient } from './client.ts'
import { format, print, printSamples, summarize } from './samples.ts'

/** A product that has just started interprets much of its code: what runs often is compiled after some hundred runs. */
const WARM_UP = 300
const RUNS = 100
/** Id of the scenario that `store` stores. */
export const ID = 'does-nothing'
export const CREDENTIALS = Buffer.from('bench:secret').toString('base64')

interface Timing {
  started: string
  ended: string
  steps: { started: string; ended: string }[]
}

/** One caller that waits for each result of a scenario whose component does nothing. */
export async function benchExecution(assay: Assay): Promise<void> {
  print(`\n## POST /api/testcase/{id}/execute?synchron=true, one at a time, ${WARM_UP} before`)
  const client = createClient(assay.url)
  await store(client)
  for (let run = 0; run < WARM_UP; run++) await execute(client)

  const totals: number[] = []
  const requests: { id: string; sent: number; answered: number }[] = []
  for (let run = 0; run < RUNS; run++) {
    const [sent, begin] = [Date.now(), performance.now()]
    const id = await execute(client)
    totals.push(performance.now() - begin)
    requests.push({ id, sent, answered: Date.now() })
  }
  printSamples('end to end', totals)

  const logged = timesInLog(assay.logs())
  const parts = new Map<string, number[]>()
  for (const { id, sent, answered } of requests) {
    const { execution } = await client.graphql<{ execution: Timing }>(TIMING, { id })
    const [step] = execution.steps
    const [begins, ends] = [logged.get(`${id} begins`), logged.get(`${id} ends`)]
    if (!step || begins === undefined || ends === undefined) continue
    const at = [sent, execution.started, begins, step.started, step.ended, execution.ended, ends]
    const times = [...at, answered].map((time) => new Date(time).getTime())
    PARTS.forEach((name, part) => {
      const ms = (times[part + 1] ?? NaN) - (times[part] ?? NaN)
      parts.set(name, [...(parts.get(name) ?? []), ms])
    })
  }
  print('where the time goes (mean, from the times in results and log; each is cut to whole ms):')
  for (const [name, samples] of parts)
    print(`  ${format(summarize(samples).mean).padStart(6)} ms  ${name}`)
}

/** The stretches between: sent, started, claimed, step begun, step ended, result known, committed, answered. */
const PARTS = [
  'http in, gateway, looking up scenario and component',
  'accept transaction, queue wake-up, claim',
  'sandbox start, compile and instrument, load',
  'the call itself and its expectations',
  'stop of the sandbox, last updates written',
  'finish transaction',
  'notification, reading the result, http out',
]

const TIMING = `query Timing($id: ID!) {
  execution: executionResult(id: $id) { started ended steps { started ended } }
}`

/** When the worker said that it begins, and that it has ended, an execution. */
function timesInLog(log: string): Map<string, number> {
  const times = new Map<string, number>()
  for (const line of log.split('\n')) {
    const [, time] = /"time":(\d+)/.exec(line) ?? []
    const [, id] = /"executionId":"([^"]+)"/.exec(line) ?? []
    const [, word] = /"msg":"Execution (begins|end)/.exec(line) ?? []
    if (time && id && word) times.set(`${id} ${word === 'end' ? 'ends' : word}`, Number(time))
  }
  return times
}

/** Runs the scenario of `store` to its end. @returns the id of the result */
export async function execute(client: Client): Promise<string> {
  const path = `/testcase/${ID}/execute?synchron=true`
  const headers = { credentials: CREDENTIALS }
  const result = await client.rest<{ id: string; state: string }>('POST', path, { headers })
  if (result.state !== 'COMPLETED') throw new Error(`It ended ${JSON.stringify(result)}`)
  return result.id
}

/** Starts a scenario. @param scenario default: that of `store` @returns the id of the result */
export async function accept(client: Client, scenario = ID): Promise<string> {
  const headers = { credentials: CREDENTIALS }
  const path = `/testcase/${scenario}/execute`
  const { id } = await client.rest<{ id: string }>('POST', path, { headers })
  return id
}

/** Checks that an execution has COMPLETED. */
export async function endedOf(client: Client, id: string): Promise<void> {
  const { state } = await client.rest<{ state: string }>('GET', `/result/${id}`)
  if (state !== 'COMPLETED') throw new Error(`The execution ${id} is ${state}`)
}

/** Stores a scenario whose component does nothing. */
export async function store(client: Client): Promise<void> {
  const component = { id: ID, name: ID, sourceCode: 'export function nothing() {}\n' }
  const scenario = { steps: [{ id: 'nothing', call: { function: 'nothing' } }] }
  await client.graphql(
    `mutation Store($component: CreateComponentInput!, $testCase: CreateTestCaseInput!) {
      createComponent(input: $component) { id }
      createTestCase(input: $testCase) { id }
    }`,
    { component, testCase: { id: ID, name: ID, componentUnderTest: ID, scenario } },
  )
}
