import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { artifactsOf, bundle, FileFaults, readFiles } from '../../../cli/folder/files.ts'
import { RUNNING, releases, serve, start } from '../../support/cli/command.ts'

/** Holds the folder `in`, which is given, and beside it what files in it must not lead to. */
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-outside-'))
  releases.push(() => rmSync(folder, { recursive: true }))
  write({ 'out/key.js': 'export const key = "TOP-SECRET"', 'out/rows.csv': 'a\n1' })
  write({ 'out/rows.json': '[{"a":1}]', 'out/t.testcase.yaml': '{}', 'in/own.csv': 'a\n2' })
})

const at = (name: string) => join(folder, name)
const write = (files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true })
    writeFileSync(at(name), text)
  }
}
const link = (target: string, name: string) => {
  mkdirSync(dirname(at(name)), { recursive: true })
  symlinkSync(target, at(name))
}
const { signal } = new AbortController()
const read = (paths = ['in'], options = {}, env = {}) =>
  readFiles(paths.map(at), { env, options, signal })
const faultsOf = (...given: Parameters<typeof read>): Promise<readonly string[]> =>
  read(...given).then(
    () => [],
    (error) => (error instanceof FileFaults ? error.faults : Promise.reject(error)),
  )

const dataset = (file: string) => `scenario: { dataset: { file: ${file} }, steps: [] }`

test.each<[string, string, () => void]>([
  ['a source by ../', 'source: ', () => write({ 'in/a.component.yaml': 'source: ../out/key.js' })],
  [
    'an absolute source',
    'source: ',
    () => write({ 'in/a.component.yaml': `source: ${at('out/key.js')}` }),
  ],
  [
    'a source behind a link',
    'source: ',
    () => {
      write({ 'in/a.component.yaml': 'source: ./b.js' })
      link('../out/key.js', 'in/b.js')
    },
  ],
  [
    'a source in a linked folder',
    'source: ',
    () => {
      write({ 'in/a.component.yaml': 'source: ./.lib/key.js' })
      link('../out', 'in/.lib')
    },
  ],
  [
    'a source that is not there',
    'source: ',
    () => write({ 'in/a.component.yaml': 'source: ../out/gone.js' }),
  ],
  [
    'an import of a source',
    'out/key.js',
    () =>
      write({
        'in/a.component.yaml': 'source: ./a.ts',
        'in/a.ts': "import { b } from './b.ts'\nexport const a = b",
        'in/b.ts': "export { key as b } from '../out/key.js'",
      }),
  ],
  [
    'an absolute import',
    'out/rows.json',
    () =>
      write({
        'in/a.component.yaml': 'source: ./a.ts',
        'in/a.ts': `import './b.ts'\nexport { default } from '${at('out/rows.json')}'`,
        'in/b.ts': '',
      }),
  ],
  [
    'what a package leads to',
    'out/key.js',
    () => {
      write({
        'in/a.component.yaml': 'source: ./a.ts',
        'in/a.ts': "import './b.ts'\nexport * from 'evil'",
        'in/b.ts': '',
        'in/tsconfig.json': '{"compilerOptions":{"preserveSymlinks":true}}',
        'node_modules/evil/package.json': '{"main":"index.js"}',
      })
      link('../../out/key.js', 'node_modules/evil/index.js')
    },
  ],
  [
    'a dataset',
    'dataset.file: ',
    () => write({ 'in/a.testcase.yaml': dataset('../out/rows.csv') }),
  ],
  [
    'a dataset behind a link',
    'dataset.file: ',
    () => {
      write({ 'in/a.testcase.yaml': dataset('x.json') })
      link('../out/rows.json', 'in/x.json')
    },
  ],
  [
    'a linked artifact',
    'in/a.testcase.yaml',
    () => link('../out/t.testcase.yaml', 'in/a.testcase.yaml'),
  ],
  ['a linked folder', 'in/more', () => link('../out', 'in/more')],
])('%s outside of the folder is refused with its place', async (_, place, make) => {
  make()
  const faults = await faultsOf()
  expect(faults.join('\n')).toContain(place)
  expect(faults.join('\n')).toContain('it lies outside of what was given')
  expect(faults.join('\n')).toContain('--allow-outside')
  expect(faults.join('\n')).not.toContain('TOP-SECRET')
})

test('what lies elsewhere is read where its folder is given, or is allowed', async () => {
  write({
    'in/a.testcase.yaml': dataset('../out/rows.csv'),
    'in/sub/b.testcase.yaml': dataset('../own.csv'),
  })
  write({ 'in/c.component.yaml': 'source: ./c.ts', 'in/c.ts': "export * from '../out/key.js'" })
  expect(await faultsOf(['in', 'out'])).toEqual([])
  const [rows, component] = artifactsOf(await read(['in'], { 'allow-outside': true }))
  expect(rows).toMatchObject({ scenario: { dataset: { rows: [{ a: 1 }] } } })
  expect(component?.sourceCode).toContain('TOP-SECRET')
  expect(await faultsOf(['in/a.testcase.yaml'])).toHaveLength(1)
  expect(await faultsOf(['in/sub'])).toHaveLength(1)
})

test('a package beside the folder is bundled', async () => {
  write({
    'in/a.component.yaml': 'source: ./a.ts',
    'in/a.ts': "import { b } from './b.ts'\nimport { c } from 'pack'\nexport const a = b + c",
    'in/b.ts': 'export const b = 1',
    'node_modules/pack/index.js': 'export const c = 41',
    'node_modules/pack/package.json': '{"main":"index.js","type":"module"}',
  })
  const [component] = artifactsOf(await read())
  expect(component?.sourceCode).toContain('41')
})

const IMPORTING = {
  'in/a.component.yaml': 'source: ./a.ts',
  'in/a.ts': "export { b } from './b.ts'",
  'in/b.ts': 'export const b = 1',
}

test('no tsconfig.json of a source is read', async () => {
  write({ ...IMPORTING, 'in/tsconfig.json': '{"extends":"../out/pipe"}' })
  execFileSync('mkfifo', [at('out/pipe')])
  expect(await faultsOf()).toEqual([])
})

test.each([
  ['a link', () => link('../out/key.js', 'in/package.json')],
  ['a named pipe', () => void execFileSync('mkfifo', [at('in/package.json')])],
])('a package.json that is %s is refused', async (_, make) => {
  write(IMPORTING)
  make()
  const faults = (await faultsOf()).join()
  expect(faults).toContain('in/package.json: it is no plain file')
  expect(faults).not.toContain('SECRET')
})

test('a package whose main leads to a named pipe does not keep the command waiting', async () => {
  write({
    ...IMPORTING,
    'in/b.ts': "export { b } from 'pack'",
    'in/node_modules/pack/package.json': '{"main":"./lib"}',
    'in/node_modules/pack/lib/index.js': 'export const b = 1',
  })
  execFileSync('mkfifo', [at('in/node_modules/pack/lib/package.json')])
  await expect(bundle(at('in/a.ts'), [realpathSync(at('in'))], 300)).rejects.toThrow(
    'esbuild has not bundled it within 0.3 s: a named pipe',
  )
})

test('a package.json around the folder is not quoted', async () => {
  write({ ...IMPORTING, 'package.json': 'SECRET', 'in/b.ts': "export { b } from 'gone'" })
  const faults = (await faultsOf()).join()
  expect(faults).toContain('source: ')
  expect(faults).not.toContain('SECRET')
})

test.each(['links/up', 'links/up/t.testcase.yaml'])(
  'a named link to a folder around it, %s, opens nothing',
  async (name) => {
    write({ 't.testcase.yaml': dataset('out/rows.csv') })
    link('..', 'links/up')
    await expect(read([name])).rejects.toThrow('a link leads to')
    expect(await faultsOf([name], { 'allow-outside': true })).toBeDefined()
  },
)

test('an error as JSON is no command of a build server', async () => {
  const args = ['run', at('##vso[task.complete]\u009b'), '--json']
  const said = await start(args, 'http://127.0.0.1:9').stderr
  expect(said).not.toMatch(/##|\u009b/)
  expect(JSON.parse(said).error.message).toContain('##vso[task.complete]\u009b')
})

test('a link below the working folder that leads out of it opens nothing', async () => {
  write({ 'out/t.testcase.yaml': dataset('rows.csv') })
  link('../out', 'work/scenarios')
  const refused = start(['validate', 'scenarios'], 'http://127.0.0.1:9', undefined, {
    cwd: at('work'),
  })
  expect(await text(refused.stdout ?? Readable.from([]))).toContain('a link leads to')
  expect(await refused.code).toBe(1)
})

test.each(['ASSAY_TOKEN', 'ASSAY_CREDENTIALS', 'assay_token', 'ASSAY_FORMER_LOGIN'])(
  'a secret from %s is refused',
  async (name) => {
    write({ 'in/a.environment.yaml': `secrets: [{ name: A, fromEnv: ${name} }]` })
    const env = { [name]: 'TOP-SECRET' }
    const [fault] = await faultsOf(['in'], {}, env)
    expect(fault).toContain(
      `in/a.environment.yaml: secrets: fromEnv: ${name} belongs to the command`,
    )
    expect(fault).toContain('--allow-outside')
    const [environment] = artifactsOf(await read(['in'], { 'allow-outside': true }, env))
    expect(environment?.secrets).toEqual([{ name: 'A', value: 'TOP-SECRET' }])
  },
)

test.each(['a.testcase.yaml', 'rows.csv'])(
  'a named pipe %s in the folder is refused',
  async (name) => {
    write({ 'in/b.testcase.yaml': dataset('rows.csv'), 'in/rows.csv': 'a\n1' })
    rmSync(at(`in/${name}`), { force: true })
    execFileSync('mkfifo', [at(`in/${name}`)])
    expect((await faultsOf()).join()).toContain('it is no plain file')
  },
)

test.each([
  ['validate', 1],
  ['apply', 2],
  ['diff', 2],
  ['run', 2],
  ['watch', 2],
])('assay %s sends nothing that lies outside', async (command, exitCode) => {
  write({ 'in/a.testcase.yaml': dataset('../out/rows.csv') })
  const asked: string[] = []
  const url = await serve((path) => {
    asked.push(path)
    return { ...RUNNING, state: 'COMPLETED', isValid: true, faults: [], changes: [], set: 'in' }
  })
  const refused = start([command, at('in')], url)
  const said =
    (await refused.stderr) +
    (command === 'validate' ? await text(refused.stdout ?? Readable.from([])) : '')
  expect(said).toContain('--allow-outside')
  expect(said).toContain(relative(process.cwd(), at('in/a.testcase.yaml')))
  expect(await refused.code).toBe(exitCode)
  expect(asked).toEqual([])
  const allowed = start([command, at('in'), '--allow-outside'], url)
  await allowed.code
  expect(asked).not.toEqual([])
})
