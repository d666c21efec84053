import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { formatOf } from '../../../cli/commands/import.ts'
import { readReports } from '../../../cli/import/read-reports.ts'

const { signal } = new AbortController()
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'assay-import-several-'))
})
afterEach(() => rmSync(root, { recursive: true }))

/** Writes a file below the folder of the test. */
function put(path: string, text: string): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}
const suite = (...tests: string[]) =>
  `<testsuite name="s">${tests.map((test) => `<testcase classname="c" ${test}</testcase>`).join('')}</testsuite>`
const read = (names: string[], reruns = false) =>
  readReports(formatOf('junit'), names, { signal, reruns })

test('files and folders are one execution, each file once, in the order of their names', async () => {
  const files = ['b', 'a', 'deep/e'].map((path) =>
    put(`${path}.xml`, suite(`name="${basename(path)}">`)),
  )
  put('.hidden/d.xml', suite('name="d">'))
  put('a.txt', suite('name="text">'))
  symlinkSync(files[0] ?? '', join(root, 'link.xml'))
  const named = [files[0] ?? '', root, relative('.', files[1] ?? '')]
  const { scenarios } = await read(named)
  expect(scenarios.map(({ name }) => name)).toEqual(['c b', 'c a', 'c e'])
})

test('a test in two files has the file in its name, the same wherever the folder lies', async () => {
  for (const folder of ['node-20', 'node-24'])
    put(`${folder}/report.xml`, suite('name="a">', 'name="a">', `name="${folder}">`))
  const { scenarios } = await read([root])
  expect(scenarios.map(({ name }) => name)).toEqual([
    'c a [node-20/report.xml]',
    'c a (2) [node-20/report.xml]',
    'c node-20',
    'c a [node-24/report.xml]',
    'c a (2) [node-24/report.xml]',
    'c node-24',
  ])
})

test('--reruns: a test in several files is one with tries', async () => {
  const first = put('1.xml', suite('name="a"><failure message="no"/>', 'name="b">'))
  const second = put('2.xml', suite('name="a"><error message="gone"/>', 'name="b"><skipped/>'))
  const third = put('3.xml', suite('name="a"><system-out>good</system-out>'))
  const { scenarios } = await read([first, second, third], true)
  expect(scenarios).toMatchObject([
    {
      name: 'c a',
      state: 'COMPLETED',
      tries: [{ message: 'no' }, { state: 'ERROR', message: 'gone' }],
    },
    { name: 'c b', state: 'COMPLETED', tries: [] },
  ])
})

test('--reruns: the times of tests decide their order, where all have one', async () => {
  const at = (time: string, test: string) => suite(test).replace('name="s"', `timestamp="${time}"`)
  const late = put('1.xml', at('2026-01-02T04:00:00Z', 'name="a">'))
  const early = put('2.xml', at('2026-01-02T03:00:00Z', 'name="a"><failure message="no"/>'))
  expect((await read([late, early], true)).scenarios).toMatchObject([
    { state: 'COMPLETED', tries: [{ message: 'no' }] },
  ])
})

test('each file that cannot be read is named, and nothing is returned', async () => {
  put('good.xml', suite('name="a">'))
  put('cut.xml', '<testsuite><testcase name="a">')
  put('empty.xml', '')
  const reading = read([root])
  await expect(reading).rejects.toThrow(`${join(root, 'cut.xml')} is no JUnit XML: it is cut off`)
  await expect(reading).rejects.toThrow(`${join(root, 'empty.xml')} is no JUnit XML`)
  await expect(read([join(root, 'gone.xml')])).rejects.toThrow('gone.xml')
})

test('files of other formats in a folder are left out with a note, and refused where they are named', async () => {
  put('TEST-a.xml', suite('name="a">'))
  put('none.xml', '<testsuite name="none"/>')
  const other = put(
    'failsafe-summary.xml',
    '<failsafe-summary><completed>1</completed></failsafe-summary>',
  )
  const { scenarios, notes } = await read([root])
  expect(scenarios).toHaveLength(1)
  expect(notes).toEqual([
    `${other} is left out: it is no JUnit XML`,
    `${join(root, 'none.xml')} has no test`,
  ])
  await expect(read([other])).rejects.toThrow('failsafe-summary.xml is no JUnit XML')
})

test('a folder without reports, and reports without tests, are refused', async () => {
  await expect(read([root])).rejects.toThrow(`${root} has no file of this format`)
  put('a.xml', '<testsuite/>')
  await expect(read([root])).rejects.toThrow(`${join(root, 'a.xml')} has no test`)
})

test('files that reports name are found beside each of them', async () => {
  for (const name of ['a', 'b']) {
    put(`${name}/shot.png`, name)
    put(`${name}/r.xml`, suite(`name="${name}"><system-out>[[ATTACHMENT|shot.png]]</system-out>`))
  }
  const { scenarios } = await read([root])
  const contents = scenarios.map(({ steps }) => steps[0]?.attachments[0]?.base64 ?? '')
  expect(contents.map((each) => Buffer.from(each, 'base64').toString())).toEqual(['a', 'b'])
})
