import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatIn, RESULT_FORMATS } from '../../../formats/results/result-formats.ts'
import { differences } from '../../producers/differences.ts'
import { producers, readProducer } from '../../producers/truth.ts'

/** Producer → lines that are read wrong to this day. It only shrinks: a line that is mended leaves it. */
const OPEN: Record<string, string[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../producers/open.json'), 'utf8'),
)

test.each(producers())('the report of %s is read as its tests ran', (name) => {
  const { truth, text } = readProducer(name)
  expect(differences(truth, text)).toEqual(OPEN[name] ?? [])
})

const OF_TESTS = producers()
  .map((name) => ({ name, ...readProducer(name) }))
  .filter(({ truth }) => truth.format in RESULT_FORMATS && truth.unreadable === undefined)

test.each(OF_TESTS)('the report of $name shows its format', ({ truth, text }) => {
  expect(formatIn(text)).toBe(RESULT_FORMATS[truth.format])
})

test('open lines are those of producers', () => {
  expect(producers()).toEqual(expect.arrayContaining(Object.keys(OPEN)))
})
