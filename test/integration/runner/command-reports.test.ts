import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { scenarioFaults } from '../../../runner/scenario/scenario.ts'
import { fileClock } from '../../../runner/steps/file-clock.ts'
import { findReports } from '../../../runner/steps/find-reports.ts'
import { environment, shell, states } from '../../support/runner/scenario.ts'
import { run } from '../sandbox/run.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ mode: 'best-effort' })
})
afterAll(() => sandbox.stop())

const execute = (
  script: string,
  path: string,
  extra: object = {},
  settings: object = {},
  given: object = {},
) =>
  run({
    sandbox,
    source: '',
    environment: environment({}),
    scenario: {
      steps: [shell('a', script, extra, { reports: [{ format: 'junit', path }], ...settings })],
    },
    ...given,
  })

/** A folder of the machine that programs may not look into, where the worker is root. */
const secret = mkdtempSync(join(tmpdir(), 'secret-'))
beforeAll(() => {
  mkdirSync(join(secret, 'inner'))
  writeFileSync(join(secret, 'payroll.xml'), '<testsuite/>')
  writeFileSync(join(secret, 'inner', 'payroll.xml'), '<testsuite/>')
})
afterAll(() => rmSync(secret, { recursive: true }))

test.each([
  ['a name', 'x/payroll.xml'],
  ['a star', 'x/*'],
  ['a star below', '*/*/*'],
  ['two stars', 'x/**/*.xml'],
  ['two stars before', '**/payroll.xml'],
])('a pattern with %s lists nothing behind a link', async (_, path) => {
  const outcome = await execute(`ln -s ${secret} x`, path)
  expect(outcome).toMatchObject({
    state: 'ERROR',
    errorCode: 'REPORT_UNREADABLE',
    message: `The report ${path} is not there as a plain file of the run`,
  })
})

test('a link in the place of the folder of the run leads nowhere', async () => {
  const script = `echo "$HOME"; cd .. && mv "$HOME" "$HOME.x"; ln -s ${secret} "$HOME"`
  const outcome = await execute(script, '*.xml')
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'REPORT_UNREADABLE' })
  expect(outcome.message).not.toContain('payroll')
  const [, folder = ''] = /INFO a {2}(\/.*)\n/.exec(outcome.log) ?? []
  rmSync(`${folder}.x`, { recursive: true })
})

test('a link to the root of the machine takes no time', async () => {
  const outcome = await execute('ln -s / x', 'x/**/*', { timeoutMs: 60_000 })
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'REPORT_UNREADABLE' })
})

test('a report is read in the encoding that it declares', async () => {
  const script = String.raw`printf '<?xml version="1.0" encoding="ISO-8859-1"?><testsuite><testcase name="\374"/></testsuite>' > r.xml`
  const outcome = await execute(script, 'r.xml')
  expect(outcome).toMatchObject({ state: 'COMPLETED', message: '' })
  expect(outcome.steps).toContainEqual(expect.objectContaining({ kind: 'test', name: 'ü' }))
})

test('tests of one name in several files have the file in it, and no file is read twice', async () => {
  const write = (path: string) => `mkdir -p out/${path}; ${SUITE} > out/${path}/r.xml`
  const outcome = await execute(
    `${write('a')}; ${write('b')}`,
    '',
    {},
    {
      reports: ['out/**/*.xml', 'out/a/*.xml'].map((path) => ({ format: 'junit', path })),
    },
  )
  const names = outcome.steps.filter(({ kind }) => kind === 'test').map(({ name }) => name)
  expect(names).toEqual(['t [a/r.xml]', 't [b/r.xml]'])
})

const SUITE = 'echo \'<testsuite><testcase name="t"/></testsuite>\''

test.each([
  ['r.xml', 1],
  ['./r.xml', 1],
  ['*.xml', 1],
  ['out//a/*.xml', 1],
  ['out/**', 2],
  ['**/*.xml', 3],
  ['**/a/**/r*l', 1],
  ['*/*.xml', 1],
  ['.hidden/*.xml', 1],
])('%s names %d reports', async (path, count) => {
  const script = `mkdir -p out/a .hidden; for each in r.xml out/s.xml out/a/r.xml .hidden/r.xml out/.r.xml; do ${SUITE} > $each; done`
  const outcome = await execute(script, path)
  expect(states(outcome)).toHaveLength(1 + count)
  expect(outcome.state).toBe('COMPLETED')
})

const junit = (path: string) => ({ reports: [{ format: 'junit', path }] })

const inOrder = (...steps: object[]) => execute('', '', {}, {}, { scenario: { steps } })

test('a report that an earlier step wrote is none of a step that writes nothing', async () => {
  const outcome = await inOrder(
    shell('a', `${SUITE} > a.xml`, {}, junit('a.xml')),
    shell('b', 'cat a.xml', {}, junit('*.xml')),
  )
  expect(states(outcome)).toEqual(['a COMPLETED', 'a/test[0] COMPLETED', 'b ERROR'])
  expect(outcome).toMatchObject({
    state: 'ERROR',
    errorCode: 'REPORT_UNREADABLE',
    message: 'The report *.xml names no file that this step wrote; older ones are there',
  })
})

const failing = 'echo \'<testsuite><testcase name="t"><failure/></testcase></testsuite>\''

test('the failure of a reported test names the step that counts', async () => {
  const outcome = await inOrder(
    shell('a', `${failing} > a.xml`, { optional: true }, junit('a.xml')),
    shell('b', `${failing} > b.xml`, {}, junit('b.xml')),
  )
  expect(outcome.validationFailures).toMatchObject([{ name: 't', stepPath: 'b/test[0]' }])
})

test('a failing report of an optional step fails no later one', async () => {
  const outcome = await inOrder(
    shell('a', `${failing} > a.xml`, { optional: true }, junit('*.xml')),
    shell('b', `${SUITE} > b.xml`, {}, junit('*.xml')),
  )
  expect(states(outcome)).toEqual([
    'a FAILED',
    'a/test[0] FAILED',
    'b COMPLETED',
    'b/test[0] COMPLETED',
  ])
  expect(outcome.state).toBe('COMPLETED')
})

test('a report counts by when it was written, whatever time its program gave it', async () => {
  const outcome = await inOrder(
    shell('a', `${SUITE} > a.xml; touch -d 2099-01-01 a.xml`),
    shell('b', `${SUITE} > b.xml; touch -d 2001-01-01 b.xml`, {}, junit('*.xml')),
    shell('c', 'true', {}, junit('*.xml')),
  )
  expect(states(outcome)).toEqual(['a COMPLETED', 'b COMPLETED', 'b/test[0] COMPLETED', 'c ERROR'])
})

test('a report that the try before wrote is none of this try', async () => {
  const script = `test -e once || { ${SUITE} > r.xml; touch once; exit 1; }`
  const outcome = await execute(script, 'r.xml', { retries: { count: 1 } })
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'REPORT_UNREADABLE' })
  expect(outcome.message).toContain('older ones are there')
  expect(states(outcome)).toEqual(['a ERROR'])
})

test('files that earlier steps wrote are no reports over the limit', async () => {
  const outcome = await inOrder(
    shell('a', 'for i in $(seq 1001); do : > $i.xml; done'),
    shell('b', `${SUITE} > b.xml`, {}, junit('*.xml')),
  )
  expect(states(outcome)).toEqual(['a COMPLETED', 'b COMPLETED', 'b/test[0] COMPLETED'])
})

test('no program starts where a link is in the place of the folder of the run', async () => {
  const replace = `echo "$HOME"; cd .. && mv "$HOME" "$HOME.x"; ln -s ${secret} "$HOME"`
  const outcome = await inOrder(shell('a', replace), shell('b', 'true', {}, junit('*.xml')))
  expect(states(outcome)).toEqual(['a COMPLETED', 'b ERROR'])
  expect(outcome).toMatchObject({ errorCode: 'COMMAND_NOT_STARTED' })
  const [, folder = ''] = /INFO a {2}(\/.*)\n/.exec(outcome.log) ?? []
  rmSync(`${folder}.x`, { recursive: true })
})

test('the clock of files is later than all that changed, and no later than what changes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'))
  const changed = (name: string) => {
    writeFileSync(join(folder, name), '')
    return statSync(join(folder, name), { bigint: true }).ctimeNs
  }
  for (let turn = 0; turn < 50; turn += 1) {
    const before = changed('before')
    const began = await fileClock(folder, new AbortController().signal)
    const after = changed('after')
    expect([before < began, began <= after]).toEqual([true, true])
  }
  rmSync(folder, { recursive: true })
})

test('a report of more tests than an execution may have ends it', async () => {
  const script =
    "(echo '<testsuite>'; yes '<testcase name=\"t\"/>' | head -n 2000; echo '</testsuite>') > r.xml"
  const outcome = await execute(script, 'r.xml', {}, {}, { limits: { steps: 100 } })
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'STEP_LIMIT' })
  expect(outcome.steps.length).toBeLessThan(500)
})

test('a pattern that would take a regular expression for ever is quick', async () => {
  const name = 'a'.repeat(250)
  const outcome = await execute(`touch ${name}`, `${'*a'.repeat(120)}*b`, { timeoutMs: 60_000 })
  expect(outcome).toMatchObject({ errorCode: 'REPORT_UNREADABLE' })
})

test.each([
  ['reports', 'for i in $(seq 1001); do : > $i.xml; done', '*.xml', /one of more than 1000/],
  [
    'folders within each other',
    'for i in $(seq 70); do mkdir a; cd a; done',
    '**/*.xml',
    /deeper than 64 folders/,
  ],
  ['bytes', 'truncate -s 17M r.xml', 'r.xml', /larger than 16777216 bytes/],
])('too many %s are an ERROR that names the limit', async (_, script, path, message) => {
  const outcome = await execute(script, path)
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'REPORT_UNREADABLE' })
  expect(outcome.message).toMatch(message)
  expect(outcome.message).toContain(`The report ${path} `)
})

test('the files to look at are counted over all reports of a step', async () => {
  const looked = { entries: 99_999, reports: 0 }
  const { signal } = new AbortController()
  await expect(findReports(secret, '*.xml', looked, signal)).rejects.toThrow(
    /among more than 100000 files/,
  )
})

test('a report may not name more sources than a step may have', async () => {
  const reports = [{ format: 'lcov', path: 'lcov.info' }]
  const many = 'seq -f "SF:%.0f" 10001 > lcov.info'
  expect(await execute(many, '', {}, { reports })).toMatchObject({
    state: 'ERROR',
    errorCode: 'REPORT_UNREADABLE',
    message: expect.stringContaining('more than 10000 files'),
  })
  const lines = '(echo SF:source; seq -f "DA:%.0f,1" 200001) > lcov.info'
  expect(await execute(lines, '', {}, { reports })).toMatchObject({
    state: 'ERROR',
    errorCode: 'REPORT_UNREADABLE',
    message: expect.stringContaining('more than 200000 lines'),
  })
})

test('coverage is kept without its source beyond the sources that a step may have', async () => {
  const reports = [{ format: 'lcov', path: 'lcov.info' }]
  const script =
    'for n in $(seq 17); do yes | head -c 256K > source$n; printf "SF:source$n\\nDA:1,1\\nend_of_record\\n"; done > lcov.info'
  const { state, codeCoverage } = await execute(script, '', {}, { reports })
  expect(state).toBe('COMPLETED')
  expect(codeCoverage.map(({ sourceCode }) => sourceCode.length)).toEqual([
    ...Array(16).fill(256 * 1024),
    0,
  ])
})

test('coverage of an execution is merged as it comes, within its limits', async () => {
  const rows = Array.from({ length: 3 }, (_, n) => ({ n }))
  const covered = (file: string, limits: object) => {
    const settings = { reports: [{ format: 'lcov', path: 'lcov.info' }] }
    const lcov = `printf 'SF:${file}\nDA:1,1\nDA:2,0\nend_of_record\n' > lcov.info`
    const scenario = { dataset: { rows }, steps: [shell('a', lcov, {}, settings)] }
    return execute('', '', {}, {}, { limits, scenario })
  }
  const limits = { coveredFiles: 2, coveredLines: 4, coveredText: 20 }
  const same = await covered('src/a', limits)
  expect(same.codeCoverage.map(({ executionCount }) => executionCount)).toEqual([3])
  expect(same.state).toBe('COMPLETED')
  for (const [name, value] of Object.entries(limits)) {
    const ample = { coveredFiles: 9, coveredLines: 9, coveredText: 99 }
    const exceeded = await covered('src/{{row.n}}-long', { ...ample, [name]: value })
    expect(exceeded).toMatchObject({ state: 'ERROR', errorCode: 'OUTPUT_LIMIT' })
    expect(exceeded.message).toMatch(`The coverage of the execution has more than ${value} `)
    expect(exceeded.codeCoverage).toHaveLength(2)
  }
})

test('the timeout of the step ends the reading of its reports', async () => {
  const xml = "yes '<testcase/>' | head -n 400000"
  const script = `(echo '<testsuite>'; ${xml}; echo '</testsuite>') > r.xml`
  const outcome = await execute(script, 'r.xml', { timeoutMs: 1_000 })
  expect(outcome).toMatchObject({ state: 'ERROR', errorCode: 'TIMEOUT' })
})

test('a report gives what its tests and suites wrote, stacks, files and contradictions', async () => {
  const report = `<testsuite name="s" tests="1" failures="1" errors="5"><testcase classname="a" name="b">
    <failure message="assert 1 == 2">trace A</failure><error message="port in use">trace B</error>
    <system-out>own \\033[31mwords</system-out></testcase>
    <system-out>of the suite [[ATTACHMENT|shot.png]] [[ATTACHMENT|../../etc/passwd]]</system-out></testsuite>`
  const script = `mkdir out; echo x > out/shot.png; printf '${report.replaceAll('\n', '')}' > out/r.xml`
  const { log } = await execute(script, 'out/r.xml')
  for (const part of ['trace A', 'trace B', 'own words', 'of the suite'])
    expect(log).toContain(part)
  expect(log).toContain('WARN a  The report out/r.xml: s: The report counts 1 failure and 5 errors')
  // This run keeps no files.
  expect(log).toContain('WARN a  Not attached: out/shot.png is larger than 0 bytes')
  expect(log).toContain('Not attached: ../../etc/passwd is not there as a plain file of the run')
})

test('many long messages of tests are shortened, and end no run', async () => {
  const cases = `for i in $(seq 100); do printf '<testcase name="%d"><failure message="%016000d"/></testcase>' $i 1; done`
  const outcome = await execute(
    `(echo '<testsuite>'; ${cases}; echo '</testsuite>') > r.xml`,
    'r.xml',
  )
  expect(outcome).toMatchObject({ state: 'FAILED', errorCode: null })
  expect(outcome.validationFailures).toHaveLength(100)
  expect(outcome.steps.at(-1)?.message).toHaveLength(2_000)
  expect(outcome.log).toContain('at most 524288 are kept: each ends at 2000')
})

test('a time zone of a report that is none is a fault of the scenario', async () => {
  const reports = [{ format: 'junit', path: 'r.xml', timeZone: 'Nowhere' }]
  expect(scenarioFaults({ steps: [shell('a', 'true', {}, { reports })] })).toEqual([
    expect.stringContaining('timeZone must be a time zone such as Europe/Berlin'),
  ])
})
