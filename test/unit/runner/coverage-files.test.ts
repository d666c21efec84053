import type { CoverageReport } from '../../../formats/coverage/collect-lines.ts'
import type { CoverageFormat } from '../../../formats/coverage/coverage-formats.ts'
import { oddRowsOf } from '../../../formats/coverage/odd-rows.ts'
import { readCoverage } from '../../../formats/coverage/read-coverage.ts'

const EXPECTED = [
  { path: 'src/a.ts', lines: { 1: true, 2: false, 5: true } },
  { path: 'src/b.ts', lines: { 1: false } },
]

const seen = ({ files }: CoverageReport) =>
  files.map(({ path, lines }) => ({ path, lines: Object.fromEntries(lines) }))

const at = (line: unknown) => ({ start: { line, column: 0 }, end: { line, column: 9 } })
const coberturaOf = (classes: string, sources = '') =>
  `<coverage><sources>${sources}</sources><packages><package><classes>${classes}</classes></package></packages></coverage>`
const classOf = (file: string, lines: string) =>
  `<class name="A" filename="${file}"><lines>${lines}</lines></class>`

const ALIKE: [CoverageFormat, string, string][] = [
  [
    'lcov',
    'of several tests',
    'TN:x\r\nSF:src/a.ts\nFN:1,f\nDA:1,2\nDA:2,0\nDA:5,0\nLF:3\nend_of_record\nSF:src/b.ts\nDA:1,0\nend_of_record\nTN:y\nSF:src/a.ts\nDA:5,1,abc\nend_of_record\n',
  ],
  [
    'cobertura',
    'with a document type that counts for nothing',
    `<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "http://x/coverage-04.dtd">${coberturaOf(`
      <class name="A" filename="src/a.ts"><methods><method><lines><line number="9" hits="2"/></lines></method></methods>
        <lines><line number="1" hits="2"/><line number="2" hits="0"/></lines></class>
      <class name="A.Inner" filename="src/a.ts"><lines/><methods><method><lines><line number="5" hits="1"/></lines></method></methods></class>
      <class name="B" filename="src/b.ts"><lines><line number="1" hits="0"/></lines></class>`)}`,
  ],
  [
    'istanbul',
    'with a file inside of data',
    JSON.stringify({
      '/x/src/a.ts': {
        path: 'src/a.ts',
        statementMap: { 0: at(1), 1: at(2), 2: at(5), 3: at(5) },
        s: { 0: 2, 1: 0, 2: 0, 3: 1 },
      },
      'src/b.ts': { data: { statementMap: { 0: at(1) }, s: { 0: 0 } } },
    }),
  ],
  [
    'clover',
    'of istanbul, with heads of methods that are no statements',
    `<coverage generated="1" clover="3.2.0"><project timestamp="1"><metrics/>
      <package name="src"><file name="a.ts" path="src/a.ts">
        <line num="1" count="2" type="stmt"/><line num="4" count="2" type="method" name="f"/>
        <line num="2" count="0" type="cond" truecount="0" falsecount="0"/><line num="5" truecount="1" falsecount="0" type="cond"/></file></package>
      <file name="src/b.ts"><class name="B"/><line num="1" type="stmt" count="0"/></file></project></coverage>`,
  ],
  [
    'jacoco',
    'by instructions, with a document type',
    `<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd"><report name="x"><sessioninfo id="a" start="1" dump="2"/>
      <package name="src"><class name="src/A" sourcefilename="a.ts"><method name="f" desc="()V" line="1"/></class>
      <sourcefile name="a.ts"><line nr="1" mi="0" ci="2" mb="0" cb="0"/><line nr="2" mi="3" ci="0" mb="0" cb="0"/><line nr="5" mi="1" ci="1" mb="1" cb="1"/></sourcefile>
      <sourcefile name="b.ts"><line nr="1" mi="3" ci="0" mb="0" cb="0"/></sourcefile></package></report>`,
  ],
]

test('a report whose files have no line is odd', () => {
  const report = readCoverage('lcov', 'TN:\nSF:a.h\nLF:0\nLH:0\nend_of_record\n')
  expect(oddRowsOf('c.info', report)).toBe(
    'c.info names files, and no line of them: nothing was measured',
  )
})

test.each(ALIKE)('%s, %s', (format, _, text) => {
  const report = readCoverage(format, text)
  expect(seen(report)).toEqual(EXPECTED)
  expect(oddRowsOf('x', report)).toBeNull()
})

test.each<[CoverageFormat, string, string, object]>([
  [
    'lcov',
    'SF:a\nDA:1,3\nDA:2,-1\nDA:3,-88\nDA:4,2',
    '2 odd rows',
    { 1: true, 2: false, 3: false, 4: true },
  ],
  ['lcov', 'SF:a\nDA:1,1e+05\nDA:2,=====\nDA:3,0', '1 odd row ', { 1: true, 2: false, 3: false }],
  [
    'lcov',
    'DA:9,1\nSF:a\nDA:0,1\nDA:x,1\nDA:1.5,1\nDA:2147483648,1\nDA:7',
    '6 odd rows',
    { 7: false },
  ],
  ['lcov', 'SF:a\nDA:1,1\nend_of_record\nDA:2,1', '1 odd row ', { 1: true }],
  [
    'cobertura',
    coberturaOf(
      classOf('a', '<line number="1" hits="3"/><line number="2" hits="-1"/><line hits="1"/>'),
    ),
    '2 odd rows',
    { 1: true, 2: false },
  ],
  [
    'cobertura',
    coberturaOf(`<class name="B"/>${classOf('a', '<line number="1" hits=""/>')}`),
    '2 odd rows',
    { 1: false },
  ],
  [
    'clover',
    '<coverage><project><file/><file name="a"><line num="1" type="stmt" count="x"/></file></project></coverage>',
    '2 odd rows',
    { 1: false },
  ],
  [
    'jacoco',
    '<report><package name=""><sourcefile name="a"><line nr="1"/></sourcefile></package></report>',
    '1 odd row ',
    { 1: false },
  ],
  [
    'istanbul',
    JSON.stringify({
      a: { statementMap: { 0: at(null), 1: at(2) }, s: { 0: 1, 1: null } },
      total: {},
    }),
    '3 odd rows',
    { 2: false },
  ],
])('odd rows of %s are left out, or not hit: %s', (format, text, count, lines) => {
  const report = readCoverage(format, text)
  expect(seen(report)).toEqual([{ path: 'a', lines }])
  expect(`${oddRowsOf('c.info', report)} `).toContain(`c.info has ${count}`)
})

const clover =
  '<coverage generated="1"><project><file name="a"><line num="3" type="stmt" count="1"/></file></project></coverage>'

test.each<[CoverageFormat, string, string]>([
  ['lcov', 'hello', 'it names no file'],
  ['lcov', 'TN:\n', 'it names no file'],
  ['lcov', 'SF:\nDA:1,1', 'it names no file'],
  ['cobertura', '<html/>', 'its root is not coverage'],
  ['cobertura', '<coverage line-rate="0"><packages/></coverage>', 'it names no file'],
  ['cobertura', clover, 'it is Clover, whose format is "clover"'],
  ['clover', coberturaOf(''), 'it is Cobertura, whose format is "cobertura"'],
  ['clover', '<coverage><project/></coverage>', 'it names no file'],
  ['clover', '<report/>', 'its root is not coverage'],
  [
    'clover', // as gcovr 5.2 writes it with --sonarqube
    '<coverage version="1"><file path="m.c"><lineToCover lineNumber="1" covered="true"/></file></coverage>',
    'it is the generic format of SonarQube, which is not read',
  ],
  ['jacoco', '<report name="x"/>', 'it names no file'],
  ['jacoco', clover, 'its root is not report'],
  ['istanbul', '[]', 'it is no object'],
  ['istanbul', '{}', 'it names no file'],
  ['istanbul', '{"total": {"lines": {"pct": 80}}}', 'it names no file'],
])('%s says why it cannot read %s', (format, text, message) => {
  expect(() => readCoverage(format, text)).toThrow(message)
})

test('Cobertura names files below its source, and of several sources all places', () => {
  const one = coberturaOf(classOf('A.php', ''), '<source>/ci/shop/src</source>')
  expect(readCoverage('cobertura', one).files).toMatchObject([
    { path: '/ci/shop/src/A.php', places: ['/ci/shop/src/A.php'] },
  ])
  const two = coberturaOf(classOf('u.py', ''), '<source>/ci/a</source><source>b</source>')
  expect(readCoverage('cobertura', two).files).toMatchObject([
    { path: 'u.py', places: ['/ci/a/u.py', 'b/u.py'] },
  ])
  const gcovr = coberturaOf(classOf('src/a.c', ''), '<source>..</source>')
  expect(readCoverage('cobertura', gcovr).files).toMatchObject([
    { path: 'src/a.c', places: ['../src/a.c'] },
  ])
  const windows = coberturaOf(classOf('src\\A.cs', ''), '<source>C:\\ci\\</source>')
  expect(readCoverage('cobertura', windows).files).toMatchObject([{ path: 'C:/ci/src/A.cs' }])
})

test('modules of an aggregated report of JaCoCo stay apart, and packages of Clover', () => {
  const module = (name: string) =>
    `<group name="${name}"><package name="shop"><sourcefile name="A.java"/></package></group>`
  const { files } = readCoverage('jacoco', `<report>${module('one')}${module('two')}</report>`)
  expect(files.map(({ path }) => path)).toEqual(['one/shop/A.java', 'two/shop/A.java'])
  expect(files[0]?.places).toContain('one/src/main/java/shop/A.java')
  const each = (name: string) => `<package name="${name}"><file name="A.java"/></package>`
  const java = `<coverage><project>${each('shop.a')}${each('shop.b')}</project></coverage>`
  expect(seen(readCoverage('clover', java)).map(({ path }) => path)).toEqual([
    'shop/a/A.java',
    'shop/b/A.java',
  ])
})
