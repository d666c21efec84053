import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { artifactFile, artifactText } from '../../../cli/folder/artifact-text.ts'
import { FileFaults, readArtifactFiles } from '../../../formats/artifact-files/read.ts'
import { parseCsv } from '../../../formats/csv.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-files-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const write = (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}
const read = async (env = {}) =>
  (await readArtifactFiles([folder], { env })).map(({ artifact }) => artifact)

describe('CSV', () => {
  test.each<[string, string, unknown[]]>([
    [
      'types of fields without quotes',
      'a,b,c,d\n1,true,null,x',
      [{ a: 1, b: true, c: null, d: 'x' }],
    ],
    [
      'quoted fields as text',
      'a,b\n"1","say ""hi"", you\nthere"',
      [{ a: '1', b: 'say "hi", you\nthere' }],
    ],
    ['an empty last field, and lines of Windows', 'a,b\r\n1,\r\n', [{ a: 1, b: '' }]],
    ['lines that end in a bare CR', 'a,b\r1,"x"\r', [{ a: 1, b: 'x' }]],
    ['a quoted name with a semicolon', '"a;b"\n1', [{ 'a;b': 1 }]],
    ['numbers with zeros in front as text', 'a\n007', [{ a: '007' }]],
    ['a quoted field without text, alone in its line', 'a\n""\n\n1', [{ a: '' }, { a: 1 }]],
    ['no lines', 'a,b\n', []],
  ])('reads %s', (_, text, rows) => {
    expect(parseCsv(text)).toEqual(rows)
  })

  test.each([
    ['a,b\n1', 'line 2 has 1 fields, and the first 2'],
    ['', 'it is empty'],
    ['a,b,a\n1,2,3', 'two columns have the name a'],
    ['a,,c\n1,2,3', 'column 2 has no name'],
    ['a,b,\n1,2,', 'column 3 has no name'],
    ['a;b\n1;2', 'its only column is a;b: columns are separated by commas'],
    ['a\n"x', 'line 2 has a quote that does not fit'],
    ['a\n1\n9007199254740993', 'line 3: 9007199254740993 would lose digits'],
  ])('refuses %j', (text, message) => {
    expect(() => parseCsv(text)).toThrow(message)
  })
})

test('a folder is read with sources, rows, tags and secrets; ids come from names', async () => {
  write({
    'price.component.yaml': 'kind: component\nsource: ./price.ts',
    'price.ts': 'export const a: number = 1',
    'basket/testcase.yaml':
      'tags: [smoke]\nscenario: { dataset: { file: rows.csv, maxParallel: 2 }, steps: [] }',
    'basket/rows.csv': 'n\n1\n2',
    'other.testcase.json': '{"tags": ["slow"]}',
    'all.suite.yaml': 'testCases: [other]\nselect: { tags: [smoke] }',
    'stage.environment.yaml':
      'secrets: [{ name: A, fromEnv: SECRET_A }, { name: B, fromEnv: SECRET_B }]',
    'hook.trigger.yaml': 'secretFrom: SECRET_A',
    'tool.receiver.yaml': 'secretFrom: SECRET_C',
    'node_modules/x/x.testcase.yaml': 'broken: [',
    'package.json': '{}',
  })
  expect(await read({ SECRET_A: 'geheim' })).toEqual([
    { kind: 'suite', id: 'all', testCases: ['other', 'basket'] },
    {
      kind: 'testcase',
      id: 'basket',
      tags: ['smoke'],
      scenario: { dataset: { maxParallel: 2, rows: [{ n: 1 }, { n: 2 }] }, steps: [] },
    },
    { kind: 'trigger', id: 'hook', secret: 'geheim' },
    { kind: 'testcase', id: 'other', tags: ['slow'] },
    {
      kind: 'component',
      id: 'price',
      language: 'TYPESCRIPT',
      sourceCode: 'export const a: number = 1',
    },
    { kind: 'environment', id: 'stage', secrets: [{ name: 'A', value: 'geheim' }, { name: 'B' }] },
    // The stored one stays.
    { kind: 'receiver', id: 'tool', secret: '***' },
  ])
})

test('files with a byte order mark are read beside an artifact', async () => {
  write({
    'a.testcase.yaml': 'scenario: { dataset: { file: rows.json }, steps: [] }',
    'rows.json': '\uFEFF[{ "n": 1 }]',
    'b.component.yaml': 'source: b.js',
    'b.js': '\uFEFFexport const b = 1',
  })
  expect(await read()).toMatchObject([
    { scenario: { dataset: { rows: [{ n: 1 }] } } },
    { sourceCode: 'export const b = 1' },
  ])
})

test('links to folders and files are followed, in circles once', async () => {
  write({
    'tests/own.testcase.yaml': '{}',
    'elsewhere/price/testcase.yaml': 'tags: [linked]',
    'elsewhere/one.yaml': '{}',
  })
  const link = (target: string, name: string) => symlinkSync(target, join(folder, name))
  link('../elsewhere', 'tests/more')
  link('../elsewhere', 'tests/same')
  link('../../tests', 'elsewhere/price/back')
  link('../elsewhere/one.yaml', 'tests/two.testcase.yaml')
  link('nowhere', 'tests/broken')
  const paths = ['tests', 'elsewhere'].map((name) => join(folder, name))
  const files = await readArtifactFiles(paths)
  expect(files.map(({ artifact: { id } }) => id)).toEqual(['price', 'own', 'two'])
  const trusted = await readArtifactFiles(paths.slice(0, 1), { allowOutside: true })
  expect(trusted).toEqual(files)
})

test('JSON that people write may have comments and trailing commas', async () => {
  write({ 'note.testcase.json': '{ "name": "Noted", # why\n "tags": ["a",], }' })
  expect(await read()).toMatchObject([{ id: 'note', name: 'Noted', tags: ['a'] }])
})

test('every fault is named with its file', async () => {
  write({
    'a.component.yaml': 'source: ./gone.ts',
    'b.suite.yaml': 'kind: testcase',
    'c.testcase.yaml': 'a: [',
    'd.component.yaml': 'source: d.js',
    'd.js': "import { a } from './a.js'",
    'e.testcase.yaml': '[]',
    'f.testcase.json': '{"a":',
    'g.testcase.json': '{"scenario":{"n":9007199254740993}}',
  })
  const faults = await read().catch((error: unknown) =>
    error instanceof FileFaults ? error.faults : error,
  )
  expect(faults).toEqual([
    expect.stringMatching(/a\.component\.yaml: source: .*gone\.ts: there is no such file/),
    expect.stringMatching(/b\.suite\.yaml: kind: expected suite, as its name says/),
    expect.stringMatching(/c\.testcase\.yaml: it is no YAML: .*line 1/s),
    expect.stringMatching(/d\.component\.yaml: source: d\.js imports other files/),
    expect.stringMatching(/e\.testcase\.yaml: expected an object/),
    expect.stringMatching(/f\.testcase\.json: it is no JSON: .*end of JSON/),
    expect.stringMatching(/g\.testcase\.json: scenario\.n: 9007199254740993 would lose digits/),
  ])
})

test('rows are read from .csv and .json, whatever the case of their names', async () => {
  write({
    'a.testcase.yaml': 'scenario: { dataset: { file: A.JSON }, steps: [] }',
    'A.JSON': '[{ "n": 1 }]',
    'b.testcase.yaml': 'scenario: { dataset: { file: B.Csv }, steps: [] }',
    'B.Csv': 'n\n2',
  })
  expect(await read()).toMatchObject([
    { scenario: { dataset: { rows: [{ n: 1 }] } } },
    { scenario: { dataset: { rows: [{ n: 2 }] } } },
  ])
})

test.each([
  ['{ file: rows.yaml }', /dataset\.file: rows\.yaml: expected a \.csv or \.json file/],
  ['{ file: rows.tsv }', /dataset\.file: rows\.tsv: expected a \.csv or \.json file/],
  ['{ file: rows }', /dataset\.file: rows: expected a \.csv or \.json file/],
  ['{ file: d.json, rows: [ { n: 1 } ] }', /dataset: it has file and rows: expected one of them/],
])('a dataset of %s is refused', async (dataset, message) => {
  write({
    'a.testcase.yaml': `scenario: { dataset: ${dataset}, steps: [] }`,
    ...{ 'rows.yaml': '- n: 1', 'rows.tsv': 'n\n1', rows: 'n\n1', 'd.json': '[{ "n": 2 }]' },
  })
  await expect(read()).rejects.toThrow(message)
})

test.each([
  ['select: { tags: smoke }', /select\.tags: expected a list of at least one tag, such as/],
  ['select: { tags: [] }', /select\.tags: expected a list of at least one tag/],
  ['select: { tags: [ 1 ] }', /select\.tags: expected a list/],
  ['select: { skipTags: [ slow ] }', /select\.tags: expected a list/],
  ['select: { tags: [ a ], skipTags: slow }', /select\.skipTags: expected a list of tags/],
  [
    'select: { tag: [ smoke ], skiptags: [ slow ] }',
    /select: unknown key tag, skiptags: expected tags and skipTags/,
  ],
  ['select: smoke', /select: expected an object, such as \{ tags/],
  ['select:', /select: expected an object/],
])('a suite with %s is refused', async (select, message) => {
  write({ 'a.suite.yaml': `testCases: [ logout ]\n${select}` })
  await expect(read()).rejects.toThrow(message)
})

test('what a suite lists wrongly beside its selection is left for Assay to refuse', async () => {
  write({
    'a.suite.yaml': 'testCases: logout\nselect: { tags: [ smoke ] }',
    'b.suite.yaml': 'testCases: [ 5 ]\nselect: { tags: [ smoke ] }',
  })
  expect(await read()).toMatchObject([{ testCases: 'logout' }, { testCases: [5] }])
})

test('files that are not in UTF-8 are refused by their names', async () => {
  write({
    'b.testcase.yaml': 'scenario: { dataset: { file: rows.csv }, steps: [] }',
    'c.component.yaml': 'source: c.js',
  })
  const latin1 = Buffer.from('name: M\xfcller', 'latin1')
  for (const name of ['a.suite.yaml', 'rows.csv', 'c.js']) writeFileSync(join(folder, name), latin1)
  await expect(read()).rejects.toMatchObject({
    faults: [
      expect.stringMatching(/a\.suite\.yaml: it is not in UTF-8$/),
      expect.stringMatching(/b\.testcase\.yaml: dataset\.file: .*rows\.csv: it is not in UTF-8$/),
      expect.stringMatching(/c\.component\.yaml: source: .*c\.js: it is not in UTF-8$/),
    ],
  })
})

test('the examples fit the published schema, which refuses what no artifact has', () => {
  const schema = JSON.parse(readFileSync('schema/scenario.schema.json', 'utf8'))
  const validate = new Ajv({ strict: false, formats: { regex: true, 'time-zone': true } }).compile(
    schema,
  )
  const examples = globSync('examples/artifacts/*/*.yaml')
  expect(examples.length).toBeGreaterThan(8)
  for (const file of examples) {
    const isValid = validate(parse(readFileSync(file, 'utf8')))
    expect({ file, isValid, errors: validate.errors }).toMatchObject({ isValid: true })
  }
  for (const { examples: own } of Object.values<{ examples?: unknown[] }>(schema.$defs))
    for (const example of own ?? []) expect(validate(example)).toBe(true)
  expect(validate({ kind: 'component' })).toBe(false)
  expect(validate({ kind: 'suite', testcases: [] })).toBe(false)
  expect(validate({ kind: 'testcase', scenario: { steps: [{ id: 'a', call: {} }] } })).toBe(false)
})

test('an artifact beyond the length of YAML is written as JSON, and read back', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(50) }))
  const artifact = { kind: 'testcase', scenario: { dataset: { rows }, steps: [] } }
  const [name, text] = artifactFile('long.testcase', artifact, 'http://x/schema.json')
  expect(name).toBe('long.testcase.json')
  write({ [name]: `\uFEFF${text}` })
  expect(await read()).toEqual([{ ...artifact, id: 'long' }])
  expect(artifactFile('a.suite', { kind: 'suite' }, 's')[0]).toBe('a.suite.yaml')
})

test('what is written is read back as the same', () => {
  const artifact = {
    kind: 'testcase',
    name: 'x',
    scenario: {
      steps: [{ id: 'a', http: { url: '/{{env.x}}', json: { a: ['1', 1, null, 'yes'] } } }],
    },
  }
  const text = artifactText(artifact, 'http://x/schema.json')
  expect(text).toMatch(/^# yaml-language-server: \$schema=http:\/\/x\/schema.json\n/)
  expect(parse(text)).toEqual(artifact)
})
