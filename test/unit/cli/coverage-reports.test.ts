import { DOMParser } from '@xmldom/xmldom'
import { cobertura, lcov } from '../../../schema/coverage-reports.ts'

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
