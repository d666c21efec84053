import { createRunLog, logLine } from '../../../runner/run/log.ts'
import { createMask } from '../../../runner/run/mask.ts'

const at = new Date('2026-03-04T05:06:07.008Z')

test.each([
  ['Loan', 'paid', '05:06:07.008 INFO Loan  paid'],
  ['Loan  two', 'paid', '05:06:07.008 INFO Loan two  paid'],
  [
    'Loan',
    'a\n05:06:07.009 ERROR Forged  b',
    '05:06:07.008 INFO Loan  a\\n05:06:07.009 ERROR Forged  b',
  ],
  ['a\r\nb', 'c\u2028d\u0085e', '05:06:07.008 INFO a\\nb  c\\nd\\ne'],
  ['Loan', '\u001b[31mred\u001b[0m\u0000', '05:06:07.008 INFO Loan  red\uFFFD'],
  ['Loan', 'half \ud800', '05:06:07.008 INFO Loan  half \uFFFD'],
  ['Loan', 'a\tb', '05:06:07.008 INFO Loan  a\tb'],
])('a log line has one form: %j %j', (source, message, line) => {
  expect(logLine(at, 'INFO', source, message)).toBe(line)
})

test.each(['Execution', ' Execution\t'])('a step or component %j cannot speak for it', (name) => {
  const log = createRunLog(createMask(), { noteLine: () => true }, () => {})
  log.write('INFO', name, 'said')
  log.note('INFO', 'noted')
  expect(log.text()).toMatch(/^\S+ INFO "Execution" {2}said\n\S+ INFO Execution {2}noted$/)
})

test('beyond the limit of the log only the execution itself has its place', () => {
  const log = createRunLog(createMask(), { noteLine: () => false }, () => {})
  log.write('INFO', 'Execution', 'said')
  log.note('ERROR', 'why it ends')
  expect(log.text()).toMatch(/^\S+ ERROR Execution {2}why it ends$/)
})
