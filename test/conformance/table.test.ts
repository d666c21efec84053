import { readFile } from 'node:fs/promises'
import { ROWS } from './rows/all.ts'
import { SECTIONS } from './sections.ts'
import { conformancePage, PAGE } from './table.ts'

test('every row has an id of its own that belongs to its contract', () => {
  const ids = ROWS.map(({ id }) => id)
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
  for (const { id, contract } of ROWS) expect(id).toMatch(new RegExp(`^${contract}-\\d{2,}$`))
})

test('every rule is one MUST sentence', () => {
  for (const { id, rule } of ROWS)
    expect([id, rule]).toEqual([id, expect.stringMatching(/^[^\n]* MUST [^\n]*[.\]>]$/)])
})

test.each(SECTIONS)('the section "$section" of contract $contract has a row', (place) => {
  const { contract, section } = place
  expect(ROWS.some((row) => row.contract === contract && row.section === section)).toBe(true)
})

test('the page shows the present table (npm run conformance-table writes it)', async () => {
  expect(await readFile(PAGE, 'utf8')).toBe(conformancePage())
})
