import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { coverageOf } from '../../../cli/import/coverage.ts'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { environment, shell } from '../../support/runner/scenario.ts'
import { type RunningExecutions, runExecutions } from '../../support/running-executions.ts'
import { run } from '../sandbox/run.ts'

let executions: RunningExecutions
let sandbox: Sandbox
beforeAll(async () => {
  executions = await runExecutions()
  sandbox = await createSandbox({ mode: 'best-effort' })
})
afterAll(() => Promise.all([executions.stop(), sandbox.stop()]))

const COVERAGE =
  'codeCoverage { componentName coveragePercentage level tags sourceCode hitLines untouchedLines executionCount }'
const IMPORT = `mutation ($input: ImportExecutionInput!) { importExecution(input: $input) {
  id type state message log useCodeCoverage testCaseResults { state } ${COVERAGE} } }`

/** @returns the execution that an import has made */
const imported = async (input: object) => (await executions.run(IMPORT, { input })).importExecution

const classOf = (file: string, lines: string) =>
  `<coverage><sources><source>src</source></sources><packages><package><classes><class filename="${file}"><lines>${lines}</lines></class></classes></package></packages></coverage>`

/** A monorepo with reports in each format, some of files that are not there. */
const FILES: Readonly<Record<string, string>> = {
  'packages/a/src/index.js': 'one\ntwo\n',
  'packages/b/src/index.js': 'three\n',
  'packages/a/coverage/lcov.info':
    'SF:src/index.js\nDA:1,1\nDA:2,-1\nend_of_record\nSF:gone.js\nDA:1,1\n',
  'packages/b/coverage/lcov.info': 'SF:src/index.js\nDA:1,0\nend_of_record\nSF:gone.js\nDA:1,0\n',
  'src/a.py': 'x = 1\n',
  'cobertura.xml': classOf('a.py', '<line number="1" hits="2"/>'),
  'clover.xml':
    '<coverage><project><file name="/elsewhere/src/a.py"><line num="1" type="stmt" count="0"/></file></project></coverage>',
  'mod/src/main/java/shop/A.java': 'class A {}\n',
  'mod/target/jacoco.xml':
    '<report name="mod"><package name="shop"><sourcefile name="A.java"><line nr="1" mi="0" ci="3"/></sourcefile></package></report>',
}
const REPORTS = [
  { format: 'lcov', path: 'packages/a/coverage/lcov.info' },
  { format: 'lcov', path: 'packages/b/coverage/lcov.info' },
  { format: 'cobertura', path: 'cobertura.xml' },
  { format: 'clover', path: 'clover.xml' },
  { format: 'jacoco', path: 'mod/target/jacoco.xml' },
] as const

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'covered-')))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

const { signal } = new AbortController()

test('the command, REST and a step read the same reports alike', async () => {
  const folder = folderWith(FILES)
  const given = REPORTS.map(({ format, path }) => ({ format, file: join(folder, path) }))
  const byCommand = await imported({
    name: 'by command',
    scenarios: [],
    ...(await coverageOf(given, { signal, folder })),
  })
  rmSync(folder, { recursive: true })
  const textAt = (path: string) => ({ path, text: FILES[path] ?? '' })
  const byRest = await imported({
    name: 'by REST',
    scenarios: [],
    coverage: REPORTS.map(({ format, path }) => ({ format, ...textAt(path) })),
    sources: Object.keys(FILES).map(textAt),
  })
  const script = Object.entries(FILES)
    .map(([name, text]) => `mkdir -p '${dirname(name)}'; printf '%s' '${text}' > '${name}'`)
    .join('\n')
  const byStep = await run({
    ...{ sandbox, source: '', environment: environment({}) },
    scenario: { steps: [shell('a', script, {}, { reports: REPORTS })] },
  })
  expect(byStep.state).toBe('COMPLETED')
  expect(
    byStep.codeCoverage.map(({ componentName, coveragePercentage }) => [
      componentName,
      coveragePercentage,
    ]),
  ).toEqual([
    ['packages/a/src/index.js', 50],
    ['packages/a/coverage/gone.js', 100],
    ['packages/b/src/index.js', 0],
    ['packages/b/coverage/gone.js', 0],
    ['src/a.py', 100],
    ['mod/src/main/java/shop/A.java', 100],
  ])
  expect(byCommand.codeCoverage).toEqual(byStep.codeCoverage)
  expect(byRest.codeCoverage).toEqual(byStep.codeCoverage)
  const warning = 'packages/a/coverage/lcov.info has 1 odd row of coverage'
  for (const { log } of [byCommand, byRest, byStep]) expect(log).toContain(warning)
})

test('coverage stands beside imported tests, and alone', async () => {
  const coverage = [{ format: 'lcov', path: 'lcov.info', text: 'SF:a.js\nDA:1,1\n' }]
  const scenarios = [{ name: 'Sign in', state: 'FAILED', message: 'no' }]
  expect(await imported({ name: 'Both', scenarios, coverage })).toMatchObject({
    ...{ type: 'SUITE', state: 'FAILED', useCodeCoverage: true },
    testCaseResults: [{ state: 'FAILED' }],
    codeCoverage: [{ componentName: 'a.js', coveragePercentage: 100, tags: ['lcov'] }],
  })
  expect(await imported({ name: 'Alone', scenarios: [], coverage })).toMatchObject({
    ...{ state: 'COMPLETED', message: '', testCaseResults: [] },
    codeCoverage: [{ componentName: 'a.js' }],
  })
})

test.each([
  ['lcov', 'TN:', 'coverage.0: c is no lcov: it names no file'],
  ['cobertura', '<coverage><project/></coverage>', 'coverage.0: c is no cobertura: it is Clover'],
  ['gcov', '', 'coverage.0.format: expected lcov, cobertura, istanbul, clover, jacoco, not gcov'],
])('what is no %s is refused: %s', async (format, text, message) => {
  const input = { name: 'x', scenarios: [], coverage: [{ format, path: 'c', text }] }
  await expect(imported(input)).rejects.toThrow(message)
})

test('a report names no hidden file, and none outside of the folder, to be sent along', async () => {
  const folder = folderWith({
    'project/.env': 'KEY=secret',
    'project/src/a.js': 'x',
    'outside.js': 'secret',
    'lcov.info': '',
  })
  const report = join(folder, 'project/lcov.info')
  const names = ['.env', '../outside.js', join(folder, 'outside.js'), '/etc/passwd', 'src/a.js']
  writeFileSync(report, names.map((name) => `SF:${name}\nDA:1,1\nend_of_record\n`).join(''))
  const given = [{ format: 'lcov' as const, file: report }]
  const { sources } = await coverageOf(given, { signal, folder: join(folder, 'project') })
  expect(sources).toEqual([{ path: 'src/a.js', text: 'x' }])
  rmSync(folder, { recursive: true })
})
