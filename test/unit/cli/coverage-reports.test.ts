import { DOMParser } from '@xmldom/xmldom'
import type { Context } from '../../../cli/command.ts'
import { judge } from '../../../cli/run/reports.ts'
import type { Result } from '../../../cli/run/result.ts'
import { cobertura, lcov } from '../../../formats/coverage/reports.ts'

const COVERAGE = [{ componentName: 'Price & "co"', hitLines: [3, 1], untouchedLines: [2] }]

test('lcov lists the lines of the file in order', () => {
  expect(lcov(COVERAGE, new Map([['Price & "co"', 'src/price.ts']]))).toBe(
    'TN:\nSF:src/price.ts\nDA:1,1\nDA:2,0\nDA:3,1\nLF:3\nLH:2\nend_of_record\n',
  )
})

test('Cobertura is XML; a component without a file keeps its name', () => {
  const document = new DOMParser().parseFromString(cobertura(COVERAGE, new Map()), 'text/xml')
  const [element] = document.getElementsByTagName('class')
  expect(element?.getAttribute('filename')).toBe('Price & "co"')
  expect(element?.getAttribute('line-rate')).toBe('0.6667')
  expect(document.getElementsByTagName('line')).toHaveLength(3)
})

test('Cobertura stays XML 1.0 whatever a component is called', () => {
  const componentName = 'a\u0000b\u001bc\ufffed\ud800e ]]> <x/> &#0;\t"'
  const text = cobertura([{ componentName, hitLines: [1], untouchedLines: [] }])
  expect(text).toContain(
    'name="a\ufffdb\ufffdc\ufffdd\ufffde ]]&gt; &lt;x/&gt; &amp;#0;&#x9;&quot;"',
  )
})

test.each([
  { least: 100, hit: 299, of: 300, isGood: false, shown: ['99.66'] },
  { least: 100, hit: 30_000, of: 30_001, isGood: false, shown: ['99.99'] },
  { least: 100, hit: 300, of: 300, isGood: true, shown: [] },
  { least: 28.7, hit: 287, of: 1_000, isGood: true, shown: [] },
  { least: 90, hit: 13, of: 15, isGood: false, shown: ['87'] },
  { least: 100, hit: 0, of: 0, isGood: true, shown: [] },
])('$hit of $of lines against $least %: good is $isGood', async (row) => {
  const { least, hit, of, isGood, shown } = row
  const coveragePercentage = of === 0 ? 100 : Math.round((100 * hit) / of)
  const own = { componentName: 'price', coveragePercentage }
  const lines = { hitLines: Array(hit).fill(1), untouchedLines: Array(of - hit).fill(1) }
  const notes: string[] = []
  const context = {
    client: {
      graphql: async () => ({ executionResult: { codeCoverage: [{ ...own, ...lines }] } }),
    },
    terminal: { note: (text: string) => notes.push(text) },
  } as unknown as Context // only what is used
  const result = { id: 'r', state: 'COMPLETED', codeCoverage: [own] } as unknown as Result // likewise
  expect(await judge(result, least, context)).toBe(isGood ? 0 : 1)
  expect(notes).toEqual(
    shown.map((each) => `Coverage of price is ${each} %, and ${least} % are asked for`),
  )
})

test.each([
  [0, 1, ['There is no coverage, and 0 % are asked for']],
  [80, 1, ['There is no coverage, and 80 % are asked for']],
  [null, 0, []],
])('without any coverage, %j %% asked for ends with %d', async (least, code, notes) => {
  const said: string[] = []
  const context = { terminal: { note: (text: string) => said.push(text) } } as unknown as Context // only what is used
  const result = { id: 'r', state: 'COMPLETED', codeCoverage: [] } as unknown as Result // likewise
  expect(await judge(result, least, context)).toBe(code)
  expect(said).toEqual(notes)
})
