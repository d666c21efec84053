import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { withTimeEnough } from '../../support/eventually.ts'
import { hasEnded, markedSleep } from '../../support/runner/marked-sleep.ts'
import { environment, pause, print, shell, states } from '../../support/runner/scenario.ts'
import { run } from '../sandbox/run.ts'

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

test('numbers and booleans of templates are text for a program', async () => {
  const variables = { n: 17, yes: false, args: [1, true] }
  const script = 'echo "$0 $1 $2 $N"'
  const step = {
    id: 'a',
    command: {
      program: 'sh',
      args: ['-c', script, '{{var.n}}', '{{var.yes}}'],
      env: { N: '{{var.n}}' },
    },
    expect: [
      { assert: 'stdout', value: '17 false  17' },
      { assert: 'stdout', value: '{{var.n}}' },
    ],
  }
  const all = {
    id: 'b',
    command: { program: 'echo', args: '{{var.args}}' },
    expect: [{ assert: 'stdout', value: '1 true' }],
  }
  const outcome = await execute([], { scenario: { variables, steps: [step, all] } })
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
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
    shell('c', 'exit 2', { expect: [{ path: "$['exitCode']", assert: 'equals', value: 2 }] }),
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

/** Ways to start a program that stays; `background` takes the place of the program. */
const WAYS_TO_STAY: [string, (program: string) => string][] = [
  ['in the background', (program) => `${program} &`],
  ['in a session of its own', (program) => `setsid ${program} &`],
  ['forked twice', (program) => `(setsid ${program} &) &`],
  ['that ignores signals', (program) => `(trap "" TERM HUP INT; setsid ${program}) &`],
]

test.each(WAYS_TO_STAY)('a program %s ends on timeout and on cancel', async (_, start) => {
  const [first, second] = [markedSleep(), markedSleep()]
  const script = ({ sleep }: { sleep: string }) =>
    `${start(sleep)} sleep 0.2; echo started; sleep 600`
  await withTimeEnough(3_000, async (timeoutMs) => {
    const late = await execute([shell('a', script(first), { timeoutMs })])
    expect(late).toMatchObject({ state: 'ERROR', errorCode: 'TIMEOUT' })
    expect(late.log).toContain('INFO a  started')
  })
  await hasEnded(first)
  const controller = new AbortController()
  const cancelled = await execute([shell('a', script(second))], {
    signal: controller.signal,
    onUpdate: (update: object) => {
      if (JSON.stringify(update).includes('started')) controller.abort()
    },
  })
  expect(cancelled).toMatchObject({ state: 'ERROR', errorCode: 'CANCELLED' })
  await hasEnded(second)
})

test.each(WAYS_TO_STAY)('a program left %s ends with its command', async (_, start) => {
  const left = markedSleep()
  const outcome = await execute([shell('a', `${start(left.sleep)} sleep 0.2`)])
  expect(outcome.state).toBe('COMPLETED')
  await hasEnded(left)
})

test('a command is nobody who owns anything, in a folder of its own', async () => {
  const outcome = await execute([
    shell(
      'a',
      'test "$(id -u)" != 0 && touch mine && ! kill -9 -1 2>/dev/null; ls /proc | grep -c "^[0-9]"',
    ),
  ])
  expect(outcome.state).toBe('COMPLETED')
})

test('variables of a step change nothing about how it is started', async () => {
  const env = { PERL5OPT: '-Mno_such_module', LD_PRELOAD: '/no/such.so', A: '' }
  const outcome = await execute([shell('a', 'echo "$PERL5OPT$A"', {}, { env })])
  expect(outcome).toMatchObject({ state: 'COMPLETED' })
  expect(outcome.log).toContain('INFO a  -Mno_such_module')
})

test('a command that takes more memory than it may is an ERROR that names the setting', async () => {
  const careful = await createSandbox({
    mode: 'best-effort',
    programLimits: { memoryMebibytes: 50 },
  })
  const greedy = shell('a', 'echo begun >&2; exec perl -e "push @all, q(x) x 1e7 while 1"')
  const outcome = await execute([greedy], { sandbox: careful })
  await careful.stop()
  expect(outcome).toMatchObject({
    state: 'ERROR',
    errorCode: 'MEMORY_LIMIT',
    message: expect.stringContaining('50 MiB of memory (COMMAND_MEMORY_MIB)'),
  })
})

test.each([
  ['a link to a file of the machine', 'ln -s /etc/passwd r.xml'],
  ['a link to a folder of the machine', 'ln -s /etc x; ln -s x/passwd r.xml'],
  ['a pipe that nobody writes', 'mkfifo r.xml'],
])('%s is no report', async (_, script) => {
  const reports = [{ format: 'junit', path: 'r.xml' }]
  const outcome = await execute([shell('a', script, {}, { reports })])
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'REPORT_UNREADABLE' })
  expect(outcome.message).not.toContain('root:')
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

test('without file descriptors no program starts, and the worker lives on', () => {
  const program = fileURLToPath(
    new URL('../../support/runner/no-file-descriptors.ts', import.meta.url),
  )
  const script = 'ulimit -n 100; exec "$0" "$1"'
  const stdout = execFileSync('sh', ['-c', script, process.execPath, program])
  expect(JSON.parse(`${stdout}`)).toEqual([0, 0, 'EMFILE', 'EMFILE', 0, 0])
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
