import { cobertura } from '../../../subgraphs/test-execution/runners/coverage/cobertura.ts'
import { istanbul } from '../../../subgraphs/test-execution/runners/coverage/istanbul.ts'
import { lcov } from '../../../subgraphs/test-execution/runners/coverage/lcov.ts'

const EXPECTED = [
  { path: 'src/a.ts', lines: { 1: true, 2: false, 5: true } },
  { path: 'src/b.ts', lines: { 1: false } },
]

const seen = (files: { path: string; lines: ReadonlyMap<number, boolean> }[]) =>
  files.map(({ path, lines }) => ({ path, lines: Object.fromEntries(lines) }))

test('lcov', () => {
  const text =
    'TN:x\r\nSF:src/a.ts\nFN:1,f\nDA:1,2\nDA:2,0\nDA:5,0\nDA:5,1,abc\nLF:3\nend_of_record\nSF:src/b.ts\nDA:1,0\nend_of_record\n'
  expect(seen(lcov(text))).toEqual(EXPECTED)
})

test('Cobertura, with a document type that counts for nothing', () => {
  const text = `<?xml version="1.0"?><!DOCTYPE coverage SYSTEM "http://x/coverage-04.dtd">
    <coverage><packages><package><classes>
    <class name="A" filename="src/a.ts"><methods><method><lines><line number="1" hits="2"/></lines></method></methods>
      <lines><line number="1" hits="2"/><line number="2" hits="0"/></lines></class>
    <class name="A.Inner" filename="src/a.ts"><lines><line number="5" hits="1"/></lines></class>
    <class name="B" filename="src/b.ts"><lines><line number="1" hits="0"/></lines></class>
    </classes></package></packages></coverage>`
  expect(seen(cobertura(text))).toEqual(EXPECTED)
})

test('istanbul', () => {
  const at = (line: number) => ({ start: { line, column: 0 }, end: { line, column: 9 } })
  const text = JSON.stringify({
    '/x/src/a.ts': {
      path: 'src/a.ts',
      statementMap: { 0: at(1), 1: at(2), 2: at(5), 3: at(5) },
      s: { 0: 2, 1: 0, 2: 0, 3: 1 },
    },
    'src/b.ts': { statementMap: { 0: at(1) }, s: { 0: 0 } },
  })
  expect(seen(istanbul(text))).toEqual(EXPECTED)
})

const coberturaOf = (number: string) =>
  `<coverage><class filename="a"><line number="${number}" hits="1"/></class></coverage>`
const istanbulOf = (line: number) =>
  JSON.stringify({ a: { statementMap: { 0: { start: { line } } }, s: { 0: 1 } } })

test.each([
  ['lcov', lcov, 'hello', 'it names no file'],
  ['lcov', lcov, 'SF:a\nDA:x,1', 'cannot read DA:x,1'],
  ['lcov', lcov, 'SF:a\nDA:1.5,1', 'cannot read DA:1.5,1'],
  ['lcov', lcov, 'SF:a\nDA:9000000000,1', 'cannot read DA:9000000000,1'],
  ['Cobertura', cobertura, '<html/>', 'its root is not coverage'],
  ['Cobertura', cobertura, '<coverage><class><line/></class></coverage>', 'without a number'],
  ['Cobertura', cobertura, coberturaOf('1.5'), 'without a number'],
  ['Cobertura', cobertura, coberturaOf('2147483648'), 'without a number'],
  ['istanbul', istanbul, istanbulOf(0), 'it lacks the lines of a'],
  ['istanbul', istanbul, istanbulOf(2 ** 31), 'it lacks the lines of a'],
  ['istanbul', istanbul, '[]', 'it is no object'],
  ['istanbul', istanbul, '{"a": {}}', 'it lacks the statements of a'],
])('%s says why it cannot read what is none', (_, read, text, message) => {
  expect(() => read(text)).toThrow(message)
})
