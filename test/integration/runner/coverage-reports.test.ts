import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { environment, shell } from '../../support/runner/scenario.ts'
import { run } from '../sandbox/run.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await createSandbox({ mode: 'best-effort' })
})
afterAll(() => sandbox.stop())

const execute = (scenario: object) =>
  run({ sandbox, source: '', environment: environment({}), scenario })

const reports = (format: string, path: string) => ({ reports: [{ format, path }] })

/** Two packages of a monorepo, each with a report that names its file from the folder of the package. */
const package_ = (name: string, lines: string) =>
  `mkdir -p packages/${name}/coverage packages/${name}/src; cd packages/${name}; printf 'one\\ntwo\\n' > src/index.js; printf 'SF:src/index.js\\n${lines}end_of_record\\n' > coverage/lcov.info; cd ../..`

const TWO = `${package_('a', 'DA:1,1\\nDA:2,0\\n')}; ${package_('b', 'DA:1,1\\nDA:2,1\\n')}`

const covered = async (scenario: object) => {
  const { state, codeCoverage } = await execute(scenario)
  expect(state).toBe('COMPLETED')
  return codeCoverage.map(({ componentName, coveragePercentage, sourceCode }) => [
    componentName,
    coveragePercentage,
    sourceCode,
  ])
}

test('files of two packages with one relative name are two, each with its source', async () => {
  const all = { steps: [shell('a', TWO, {}, reports('lcov', 'packages/*/coverage/lcov.info'))] }
  expect(await covered(all)).toEqual([
    ['packages/a/src/index.js', 50, 'one\ntwo\n'],
    ['packages/b/src/index.js', 100, 'one\ntwo\n'],
  ])
})

test('such files stay apart where they are not found, also in steps of their own', async () => {
  const gone = (name: string) =>
    shell(
      name,
      `${package_(name, 'DA:1,1\\n')}; rm -r packages/${name}/src`,
      {},
      reports('lcov', `packages/${name}/coverage/lcov.info`),
    )
  const two = { steps: [gone('a'), gone('b')] }
  expect(await covered(two)).toEqual([
    ['packages/a/coverage/src/index.js', 100, ''],
    ['packages/b/coverage/src/index.js', 100, ''],
  ])
  expect(await covered({ steps: [gone('a')] })).toEqual([['src/index.js', 100, '']])
})

test('a link in the folder leads to no source', async () => {
  const script =
    'ln -s /etc x; printf "SF:x/passwd\\nDA:1,1\\nSF:etc/passwd\\nDA:1,1\\nSF:/etc/passwd\\nDA:1,1\\n" > l.info'
  expect(await covered({ steps: [shell('a', script, {}, reports('lcov', 'l.info'))] })).toEqual([
    ['x/passwd', 100, ''],
    ['etc/passwd', 100, ''],
    ['/etc/passwd', 100, ''],
  ])
})

test('the same file by its lcov and by Cobertura with a source is one', async () => {
  const script = `mkdir src; echo x > src/Shop.php
    printf "SF:$PWD/src/Shop.php\\nDA:6,1\\nDA:7,0\\nend_of_record\\n" > l.info
    echo "<coverage><sources><source>$PWD/src</source></sources><packages><package><classes><class filename='Shop.php'><methods><method><lines><line number='5' hits='3'/></lines></method></methods><lines><line number='6' hits='1'/><line number='7' hits='0'/></lines></class></classes></package></packages></coverage>" > c.xml`
  const both = {
    reports: [
      { format: 'lcov', path: 'l.info' },
      { format: 'cobertura', path: 'c.xml' },
    ],
  }
  expect(await covered({ steps: [shell('a', script, {}, both)] })).toEqual([
    ['src/Shop.php', 50, 'x\n'],
  ])
})

test('odd rows are one WARN with their number, and the other reports count', async () => {
  const script =
    'printf "SF:a.c\\nDA:1,3\\nDA:2,-1\\nDA:3,-88\\nDA:4,2\\n" > a.info; printf "SF:b.c\\nDA:1,1\\n" > b.info'
  const { state, codeCoverage, log } = await execute({
    steps: [shell('a', script, {}, reports('lcov', '*.info'))],
  })
  expect(state).toBe('COMPLETED')
  expect(codeCoverage).toMatchObject([
    { componentName: 'a.c', hitLines: [1, 4], untouchedLines: [2, 3] },
    { componentName: 'b.c', hitLines: [1] },
  ])
  expect(log.match(/WARN .*/g)).toEqual([
    'WARN a  The report a.info has 2 odd rows of coverage, left out or counted as not hit. The first: DA:2,-1',
  ])
})

test.each([
  ['cobertura', '<coverage line-rate="0"><packages/></coverage>', 'it names no file'],
  ['istanbul', '{}', 'it names no file'],
  ['lcov', 'TN:', 'it names no file'],
  ['clover', '<coverage><project/></coverage>', 'it names no file'],
  ['jacoco', '<report/>', 'it names no file'],
  [
    'cobertura',
    '<coverage generated="1"><project><file name="a.php"><line num="3" type="stmt" count="1"/></file></project></coverage>',
    'it is Clover, whose format is "clover"',
  ],
])('%s that holds nothing is unreadable: %s', async (format, text, reason) => {
  const outcome = await execute({
    steps: [shell('a', 'cat > c', {}, { stdin: text, ...reports(format, 'c') })],
  })
  expect(outcome).toMatchObject({
    state: 'ERROR',
    errorCode: 'REPORT_UNREADABLE',
    message: `The report c is no ${format}: ${reason}`,
  })
})

test('JUnit without a test is a WARN that names the file', async () => {
  const xml = '<testsuites><testsuite name="p1" tests="0" failures="0" errors="0"/></testsuites>'
  const { state, log } = await execute({
    steps: [shell('a', 'cat > r.xml', {}, { stdin: xml, ...reports('junit', 'r.xml') })],
  })
  expect(state).toBe('COMPLETED')
  expect(log).toContain('WARN a  The report r.xml has no test')
})
