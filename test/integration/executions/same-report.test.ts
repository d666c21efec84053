import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

const tried = (element: string, message: string) =>
  `<${element} message="${message}" type="E"><stackTrace>E: ${message}</stackTrace></${element}>`
/** Written as Gradle and Maven Surefire do. */
const RETRIED = `<testsuite name="shop.Cart" tests="8" failures="1" errors="1" timestamp="2026-11-27T10:00:00">
  <testcase name="a" classname="shop.Cart">${tried('flakyFailure', 'one')}${tried('flakyError', 'two')}</testcase>
  <testcase name="b" classname="shop.Cart"><failure message="three"/>${tried('rerunFailure', 'four')}</testcase>
  <testcase name="c" classname="shop.Cart"><error message="five"/>${tried('rerunError', 'six')}</testcase>
  <testcase name="d" classname="shop.Cart"><skipped message="later"/></testcase></testsuite>`

const LONG = `<testsuite><testcase name="a"><failure message="${'x'.repeat(20_000)}"/>${tried('rerunFailure', 'y'.repeat(20_000))}</testcase></testsuite>`

const folder = mkdtempSync(join(tmpdir(), 'same-report-'))
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
  rmSync(folder, { recursive: true })
})

const FAILED = (message: string) => ({ state: 'FAILED', message })
const ERROR = (message: string) => ({ state: 'ERROR', message })

const said = (all: Data[]) =>
  all.map(({ contextId, state, message, isFlaky, tries }) => [
    ...[contextId, state, message, isFlaky, tries],
  ])

const written = (name: string): string => readProducer(name).text

test.each([
  ['tries', RETRIED] as const,
  ['long messages', LONG] as const,
  ...[
    'ant',
    'googletest',
    'jest-junit',
    'node-test',
    'pytest',
    'surefire-2.22-rerun',
    'vitest',
  ].map((name) => [name, written(name)] as const),
])(
  'the report of %s is the same by the command, over the interface and of a step',
  async (name, text) => {
    const { scenarios, imported, reported } = await readBoth(name.replace(' ', '-'), [text])
    expect(said(reported.testCaseResults)).toEqual(said(imported.testCaseResults))
    if (name === 'tries')
      expect(said(reported.testCaseResults)).toEqual([
        ['shop.Cart a', 'COMPLETED', '', true, [FAILED('one'), ERROR('two')]],
        ['shop.Cart b', 'FAILED', 'three', false, [FAILED('four')]],
        ['shop.Cart c', 'ERROR', 'five', false, [ERROR('six')]],
      ])
    const lines = scenarios.flatMap((each) => each.log.split('\n').filter((line) => line.trim()))
    const log = [imported, ...imported.testCaseResults].map((each: Data) => each.log).join('')
    for (const line of lines) {
      expect(reported.log).toContain(line)
      expect(log).toContain(line)
    }
  },
)

test('tests of one name in two files are tries in the order of their times, in the zone that is given', async () => {
  const suite = (timestamp: string, inner: string) =>
    `<testsuite timestamp="${timestamp}"><testcase name="a">${inner}</testcase></testsuite>`
  const texts = [
    suite('2026-07-01T09:00:00Z', ''),
    suite('2026-07-01T10:00:00', '<failure message="no"/>'),
  ]
  const options = { reruns: true, timeZone: 'Europe/Berlin' }
  const { imported, reported } = await readBoth('reruns', texts, options)
  for (const { testCaseResults } of [imported, reported])
    expect(said(testCaseResults)).toEqual([['a', 'COMPLETED', '', true, [FAILED('no')]]])
})

/** Reads the same files as an import, and as reports of a step. */
async function readBoth(
  name: string,
  texts: readonly string[],
  options: { reruns?: boolean; timeZone?: string } = {},
) {
  const paths = texts.map((text, at) => {
    const path = join(folder, `r${at}.xml`)
    writeFileSync(path, text)
    return path
  })
  const { signal } = new AbortController()
  const { timeZone: zone = 'UTC', reruns = false } = options
  const { scenarios } = await readReports(formatOf('junit'), paths, { signal, zone, reruns })
  const { importExecution: imported } = await executions.run(IMPORT, { input: { name, scenarios } })

  const reports = [{ format: 'junit', path: 'r*.xml', ...options }]
  const write = 'cat > r0.xml; if test "$0" != none; then printf %s "$0" > r1.xml; fi'
  const args = ['-c', write, texts[1] ?? 'none']
  const command = { program: 'sh', args, stdin: texts[0], reports }
  const steps = [{ id: 'unit', command }]
  await executions.run(CREATE, {
    input: { id: name, name, environment: 'here', scenario: { steps } },
  })
  const id = await executions.execute(collector.url, name)
  await executions.delivery(id, ({ state }) => state === 'DELIVERED')
  const { executionResult: reported } = await executions.run(READ, { id })
  return { scenarios, imported, reported }
}
