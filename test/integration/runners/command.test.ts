import { existsSync, readFileSync } from 'node:fs'
import {
  createSandbox,
  type Sandbox,
} from '../../../subgraphs/test-execution/runners/sandbox/sandbox.ts'
import { run } from '../sandbox/run.ts'
import { environment, pause, print, shell, states } from './_support/scenario.ts'

const PASSWORD = 'open sesame'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ mode: 'best-effort' })
})
afterAll(() => sandbox.stop())

const execute = (steps: object[], given: object = {}) =>
  run({
    sandbox,
    source: '',
    environment: environment({ secrets: { TOKEN: 'k3y-4711' } }),
    credentials: { userId: 'ann', password: PASSWORD },
    scenario: { steps },
    ...given,
  })

/** One that is dead and not yet collected by its parent is not alive. */
function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

/** The kernel takes a moment to carry out a kill. */
async function haveEnded(pids: number[]): Promise<void> {
  while (pids.some(isAlive)) await new Promise((resolve) => setImmediate(resolve))
}

test('no command runs, wherever it stands, unless the operator turns them on', async () => {
  const touch = (id: string) => shell(id, 'echo started >&2')
  const nested = { id: 'p', parallel: { steps: [touch('inside')] } }
  for (const scenario of [
    { steps: [touch('plain')] },
    { steps: [touch('optional')].map((step) => ({ ...step, optional: true })) },
    { steps: [nested] },
    { steps: [pause('ok')], setup: [touch('before')] },
    { steps: [pause('ok')], teardown: [touch('after')] },
  ]) {
    const { steps, log } = await execute([], { scenario, commandSteps: false })
    const refused = steps.filter(({ message }) => message?.includes('COMMAND_STEPS=on'))
    expect(refused).toContainEqual(expect.objectContaining({ kind: 'command', state: 'ERROR' }))
    expect(log).not.toContain('started\n')
  }
  const outcome = await execute([touch('plain')], { commandSteps: false })
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'RUNNER_OFF' })
})

test('a command is off until the environment turns it on', async () => {
  for (const given of [
    { environment: environment({ runners: ['CALL', 'HTTP', 'GRAPHQL'] }) },
    { environment: undefined },
  ])
    expect(await execute([shell('a', 'exit 0')], given)).toMatchObject({
      state: 'ERROR',
      errorCode: 'RUNNER_OFF',
    })
})

test('exit code and output are what expectations look at; lines are logged as they come', async () => {
  const outcome = await execute([
    shell(
      'a',
      'cat; echo out; echo err >&2; exit 3',
      {
        expect: [
          { assert: 'exitCode', value: 3 },
          { assert: 'stdout', value: 'out' },
          { path: '$.stdout', assert: 'equals', value: 'in\nout\n' },
          { path: '$.stderr', assert: 'matches', value: '^err' },
        ],
      },
      { stdin: 'in\n' },
    ),
    shell('b', 'exit 1'),
  ])
  expect(outcome).toMatchObject({
    state: 'FAILED',
    validationFailures: [{ stepId: 'b', assert: 'exitCode', expectedValue: 0, actualValue: 1 }],
  })
  expect(outcome.log).toMatch(/INFO a {2}out\n/)
  expect(outcome.log).toMatch(/WARN a {2}err\n/)
})

test('its environment is clean but for the host credentials and what the step gives', async () => {
  const names = 'env | sed "s/=.*//" | sort | tr "\\n" " "'
  const outcome = await execute([
    shell(
      'names',
      names,
      {
        expect: [
          { assert: 'stdout', value: 'GIVEN HOME HOST_PASSWORD HOST_USER_ID LANG PATH PWD' },
        ],
      },
      { env: { GIVEN: '{{env.TOKEN}}' } },
    ),
    shell(
      'values',
      `test "$HOST_USER_ID $HOST_PASSWORD" = "ann ${PASSWORD}" && pwd && ls -A | wc -l`,
    ),
    shell('shown', 'echo "$HOST_PASSWORD" "{{env.TOKEN}}"; exit 1'),
  ])
  expect(states(outcome)).toEqual(['names COMPLETED', 'values COMPLETED', 'shown FAILED'])
  expect(JSON.stringify(outcome)).not.toMatch(/open sesame|4711/)
  expect(outcome.log).toMatch(/INFO values {2}0/)
})

test('steps share a folder that is gone afterwards', async () => {
  const outcome = await execute([
    shell('a', 'pwd; echo 1 > kept'),
    shell('b', 'cat kept', { expect: [{ assert: 'stdout', value: '1' }] }),
  ])
  expect(outcome.state).toBe('COMPLETED')
  const [, folder = ''] = /INFO a {2}(\/.*)\n/.exec(outcome.log) ?? []
  expect(folder).toMatch(/assay-run-/)
  expect(existsSync(folder)).toBe(false)
})

test('on timeout and on cancel the whole process group is killed', async () => {
  const script = 'sleep 300 & echo "pids $$ $!"; wait'
  const pids = (log: string) => (/pids (\d+) (\d+)/.exec(log) ?? []).slice(1).map(Number)
  const late = await execute([shell('a', script, { timeoutMs: 500 })])
  expect(late).toMatchObject({ state: 'ERROR', errorCode: 'TIMEOUT' })
  const controller = new AbortController()
  const cancelled = await execute([shell('a', script)], {
    signal: controller.signal,
    onUpdate: (update: object) => {
      if (JSON.stringify(update).match(/pids \d/)) controller.abort()
    },
  })
  expect(cancelled).toMatchObject({ state: 'ERROR', errorCode: 'CANCELLED' })
  const all = [...pids(late.log), ...pids(cancelled.log)]
  expect(all).toHaveLength(4)
  await haveEnded(all)
})

test('what a command leaves running ends with it', async () => {
  const outcome = await execute([shell('a', 'sleep 300 & echo "pid $!"')])
  expect(outcome.state).toBe('COMPLETED')
  const pids = /pid (\d+)/.exec(outcome.log)?.slice(1).map(Number) ?? []
  expect(pids).toHaveLength(1)
  await haveEnded(pids)
})

test.each([
  ['is not there', { program: '/no/such/program' }, 'COMMAND_NOT_STARTED'],
  ['writes too much', { program: 'yes' }, 'OUTPUT_LIMIT'],
  ['kills itself', { program: 'sh', args: ['-c', 'kill -9 $$'] }, 'CRASHED'],
  [
    'does not write its report',
    { program: 'true', reports: [{ format: 'junit', path: 'r.xml' }] },
    'REPORT_UNREADABLE',
  ],
  [
    'writes another report',
    {
      program: 'sh',
      args: ['-c', 'echo "<html/>" > r.xml'],
      reports: [{ format: 'junit', path: '*.xml' }],
    },
    'REPORT_UNREADABLE',
  ],
])('a program that %s is an ERROR', async (_, command, errorCode) => {
  expect(await execute([{ id: 'a', command }])).toMatchObject({ state: 'ERROR', errorCode })
})

test('JUnit XML becomes nested results', async () => {
  const xml = `<?xml version="1.0"?><testsuites><testsuite>
    <testcase classname="Tax" name="low" time="0.25"/>
    <testcase classname="Tax" name="high"><failure message="3 &lt; 4">stack</failure></testcase>
    <testcase name="later"><skipped/></testcase></testsuite></testsuites>`
  const reports = [{ format: 'junit', path: 'out/**/*.xml' }]
  const script = 'mkdir -p out/a && cat > out/a/r.xml'
  const outcome = await execute([shell('tests', script, {}, { stdin: xml, reports })])
  expect(states(outcome)).toEqual([
    'tests FAILED',
    'tests/test[0] COMPLETED',
    'tests/test[1] FAILED',
    'tests/test[2] SKIPPED',
  ])
  expect(outcome.steps[1]).toMatchObject({ name: 'Tax low', kind: 'test', durationMs: 250 })
  expect(outcome.validationFailures).toMatchObject([
    { name: 'Tax high', message: 'Tax high: 3 < 4', assert: 'test' },
  ])
  const broken = xml.replace('<failure', '<error').replace('</failure', '</error')
  expect(await execute([shell('tests', script, {}, { stdin: broken, reports })])).toMatchObject({
    state: 'ERROR',
    errorCode: 'REPORTED_ERROR',
  })
})

test('of a command that is tried again, the tests of the last try count', async () => {
  const suite = (...cases: string[]) => `<testsuite>${cases.join('')}</testsuite>`
  const first = suite('<testcase name="a"/>', '<testcase name="b"><failure/></testcase>')
  const script = `test -e once && echo '${suite('<testcase name="a"/>')}' > r.xml || echo '${first}' > r.xml; touch once`
  const reports = [{ format: 'junit', path: 'r.xml' }]
  const outcome = await execute([shell('tests', script, { retries: { count: 1 } }, { reports })])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  expect(states(outcome)).toEqual(['tests COMPLETED', 'tests/test[0] COMPLETED'])
})

test('coverage that commands hand in is merged, line by line', async () => {
  const tracefile = (hits: number) =>
    `TN:\nSF:src/tax.ts\nDA:1,1\nDA:2,${hits}\nDA:4,0\nend_of_record\n`
  const step = (id: string, hits: number) =>
    shell(
      id,
      'mkdir -p src; printf "a\\nb\\n" > src/tax.ts; cat > lcov.info',
      {},
      { stdin: tracefile(hits), reports: [{ format: 'lcov', path: 'lcov.info' }] },
    )
  const outcome = await execute([step('a', 0), step('b', 3)])
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  expect(outcome.codeCoverage).toEqual([
    {
      componentName: 'src/tax.ts',
      level: 'LINE',
      tags: ['lcov'],
      sourceCode: 'a\nb\n',
      hitLines: [1, 2],
      untouchedLines: [4],
      coveragePercentage: 67,
      executionCount: 2,
    },
  ])
  expect(await execute([step('a', 0)], { useCodeCoverage: false })).toMatchObject({
    codeCoverage: [],
  })
})

test('captured output goes on as text', async () => {
  const outcome = await execute([
    print('a', { id: 7 }, { capture: { out: '$.stdout' } }),
    print('b', '{{capture.out}}', {
      expect: [{ path: '$.stdout', assert: 'equals', value: '"{{capture.out}}"' }],
    }),
  ])
  expect(states(outcome)).toEqual(['a COMPLETED', 'b COMPLETED'])
})
