import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import { parse } from 'yaml'
import { readArtifactFiles } from '../../../formats/artifact-files/read.ts'

const schema = readFileSync('schema/scenario.schema.json', 'utf8')
const formats = { regex: true, 'time-zone': true } as const
const validate = new Ajv({ strict: false, logger: false, formats }).compile(JSON.parse(schema))

test('the guide on files has each kind of artifact that files may hold', () => {
  const kinds = [...schema.matchAll(/"kind": \{\s*"const": "(\w+)"/g)].map(([, kind]) => kind)
  expect(kinds).toContain('testcase')
  const guide = readFileSync('docs/how-to/scenarios-in-git.md', 'utf8')
  expect(kinds.filter((kind) => !guide.includes(`\`${kind}\``))).toEqual([])
})

test('each script that a document names exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = globSync(['*.md', 'docs/**/*.md'])
    .flatMap((page) => [...readFileSync(page, 'utf8').matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)])
    .map(([, name = '']) => name)
  expect(named).toContain('bench:events')
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
})

describe('artifact files of guides', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'assay-guides-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Blocks whose first line names a file. */
  const files = globSync('docs/how-to/*.md').flatMap((page) =>
    [
      ...readFileSync(page, 'utf8').matchAll(
        /^```yaml\n(# (scenarios\/\S+?\.yaml)[\s\S]*?)^```$/gm,
      ),
    ].map(([, text = '', name = '']) => ({ page, name, text })),
  )

  test('there are some of scenarios, environments, schedules and triggers', () => {
    const kinds = new Set(files.map(({ name }) => name.split('.').at(-2)))
    expect([...kinds].sort()).toEqual(['environment', 'schedule', 'testcase', 'trigger'])
  })

  test.each(files)(
    '$name of $page suits the schema, and is read as the product takes it',
    async ({ name, text }) => {
      const kind = name.split('.').at(-2)
      validate({ kind, ...parse(text) })
      expect(validate.errors).toBeNull()
      mkdirSync(join(folder, dirname(name)), { recursive: true })
      writeFileSync(join(folder, name), text)
      const env = new Proxy({}, { get: () => 'a secret of sixteen characters' })
      const [read] = await readArtifactFiles([folder], { env })
      // Attributes of files alone: a store refuses them.
      expect(JSON.stringify(read?.artifact)).not.toMatch(/"(secretFrom|fromEnv|file|source)":/)
    },
  )
})
