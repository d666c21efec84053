import { join } from 'node:path'
import { formatOf } from '../../../cli/commands/import.ts'
import { readReports } from '../../../cli/import/read-reports.ts'
import { readProducer } from '../../producers/truth.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import {
  type Data,
  type RunningExecutions,
  runExecutions,
} from '../../support/running-executions.ts'

const RESULTS =
  'log testCaseResults { contextId state message log isFlaky tries { state message } }'
const STORE = `mutation ($environment: CreateEnvironmentInput!) { createEnvironment(input: $environment) { id } }`
const CREATE = 'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }'
const READ = `query ($id: ID!) { executionResult(id: $id) { ${RESULTS} } }`
const IMPORT = `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) { ${RESULTS} } }`
/** Characters of a message that a step keeps. */
const STEP_MESSAGE = 2_000

let executions: RunningExecutions
let collector: Collector
beforeAll(async () => {
  executions = await runExecutions()
  await executions.run(STORE, {
    environment: { id: 'here', name: 'Here', runners: ['COMMAND'] },
  })
  await executions.startWorker()
  collector = await startCollector()
})
afterAll(async () => {
  await executions.stop()
  await collector.stop()
})

const said = (all: Data[]) =>
  all.map(({ contextId, state, message, isFlaky, tries }) => [
    ...[contextId, state, message.slice(0, STEP_MESSAGE)],
    ...[isFlaky, tries],
  ])

test.each([
  'ant',
  'googletest',
  'jest-junit',
  'node-test',
  'pytest',
  'surefire-2.22-rerun',
  'vitest',
])(
  'the report of %s is the same by the command, over the interface and of a step',
  async (name) => {
    const { truth, text } = readProducer(name)
    const path = join(import.meta.dirname, '../../producers', name, truth.report)
    const { signal } = new AbortController()
    const { scenarios } = await readReports(formatOf('junit'), [path], { signal })
    const { importExecution: imported } = await executions.run(IMPORT, {
      input: { name, scenarios },
    })

    const reports = [{ format: 'junit', path: 'r.xml' }]
    const command = { program: 'sh', args: ['-c', 'cat > r.xml'], stdin: text, reports }
    const steps = [{ id: 'unit', command }]
    await executions.run(CREATE, {
      input: { id: name, name, environment: 'here', scenario: { steps } },
    })
    const id = await executions.execute(collector.url, name)
    await executions.delivery(id, ({ state }) => state === 'DELIVERED')
    const { executionResult: reported } = await executions.run(READ, { id })

    expect(said(reported.testCaseResults)).toEqual(said(imported.testCaseResults))
    const written = scenarios.flatMap((each) => each.log.split('\n').filter((line) => line.trim()))
    const log = [imported, ...imported.testCaseResults].map((each: Data) => each.log).join('')
    for (const line of written) {
      expect(reported.log).toContain(line)
      expect(log).toContain(line)
    }
  },
)
