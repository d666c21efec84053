import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '../../../platform/process/version.ts'
// @ts-expect-error: a script of the build, without types
import { revisionOf } from '../../../revision.js'
import { spawnProduct } from '../../support/product-process.ts'

/** With a setting that each reads. */
const PROGRAMS: [program: string, setting: string][] = [
  ['gateway.js', 'WORKER_SLOTS'],
  ['gateway.js --remote', 'SUPERGRAPH'],
  ['test-execution.js', 'SECRETS_KEY'],
  ['events.js', 'EVENTS_STRICT'],
  ['accounts.js', 'API_TOKEN_DAYS'],
  ['worker.js', 'SANDBOX'],
  ['accounts-command.js', 'DATA_DIR'],
  ['reseal-command.js', 'SECRETS_KEY_PREVIOUS'],
  ['backup.js', 'DATABASE_URL'],
]

const folder = mkdtempSync(join(tmpdir(), 'assay-programs-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function run(entry: readonly string[], env: Record<string, string> = {}) {
  const program = spawnProduct(entry.join(' '), entry, env, folder)
  const { code } = await program.exited
  return { code, output: program.output() }
}

test.each(PROGRAMS)(
  '%s explains itself, its setting %s and its exit codes',
  async (program, setting) => {
    const { code, output } = await run([...program.split(' '), '--help'])
    expect(code).toBe(0)
    for (const part of ['\nUsage\n  n', `\n  ${setting} (`, '\nExit codes\n  0   '])
      expect(output).toContain(part)
  },
)

test('a server and a command name their version, and the commit where there is one', async () => {
  const commit = revisionOf('.') ? / \([^)]+\)\n/ : /\n/
  const output = expect.stringMatching(new RegExp(`^assay ${VERSION}${commit.source}$`))
  for (const program of ['worker.js', 'backup.js'])
    expect(await run([program, '--version'])).toEqual({ code: 0, output })
})

test('an unknown option ends the start and is answered with the usage', async () => {
  const { code, output } = await run(['worker.js', '--remot'])
  expect(code).toBe(1)
  expect(output).toMatch(/^The configuration is wrong:\n.*'--remot'/)
  expect(output).toContain('usage: npm run start:worker')
})

test('a command without its arguments answers with its help', async () => {
  for (const entry of [['accounts-command.js'], ['backup.js'], ['backup.js', 'restore']])
    expect(await run(entry)).toEqual({ code: 1, output: expect.stringMatching(/\nUsage\n {2}npm/) })
})

describe('a file .env in the working folder', () => {
  beforeAll(() =>
    writeFileSync(join(folder, '.env'), 'DATABSE_URL=x\nWORKER_SLOTS=many\nPORT=many\n'),
  )
  afterAll(() => rmSync(join(folder, '.env')))

  test('holds settings, the environment wins, and unknown names are logged', async () => {
    const { output } = await run(['worker.js'], { PORT: '1' })
    expect(output).toMatch(
      /"setting":"DATABSE_URL","nearest":"DATABASE_URL","msg":"Setting unknown"/,
    )
    expect(output).toContain('WORKER_SLOTS must be a whole number')
    expect(output).not.toContain('PORT must')
  })

  test('may begin with a byte order mark, and is named where it cannot be read', async () => {
    const marked = mkdtempSync(join(folder, 'marked-'))
    writeFileSync(join(marked, '.env'), '\uFEFFPORT=many\n')
    const read = async () => {
      const program = spawnProduct('worker.js', ['worker.js'], {}, marked)
      await program.exited
      return program.output()
    }
    expect(await read()).toContain('PORT must be a whole number')
    rmSync(join(marked, '.env'))
    mkdirSync(join(marked, '.env'))
    expect(await read()).toContain('.env cannot be read: EISDIR')
  })

  test('names lines without effect by their numbers, but not those of a quoted value', async () => {
    const lined = mkdtempSync(join(folder, 'lined-'))
    writeFileSync(
      join(lined, '.env'),
      '# A comment\n\nPORT=many\nDATABASE_URL postgres://a:secret@b/c\nSECRETS_KEY="two\nlines"\r\nA=\'\n  DATA_DIR',
    )
    const program = spawnProduct('worker.js', ['worker.js'], {}, lined)
    await program.exited
    const numbers = program.output().matchAll(/No effect: line (\d+) of \.env is no NAME=value/g)
    expect(Array.from(numbers, ([, number]) => number)).toEqual(['4', '8'])
    expect(program.output()).not.toContain('postgres://')
  })

  test('does so for commands, too', async () => {
    appendFileSync(join(folder, '.env'), 'DATA_DIR\n')
    const { output } = await run(['backup.js', 'backup'], { DATABASE_URL: 'mysql://here' })
    expect(output).toContain('No effect: line 4 of .env is no NAME=value\n')
    expect(output).toContain('Setting unknown: DATABSE_URL; nearest: DATABASE_URL\n')
    expect(output).toContain('DATABASE_URL must be')
  })
})

test('commands say what to do about a database that does not answer', async () => {
  const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none'
  const SECRETS_KEY = randomBytes(32).toString('base64')
  for (const command of [
    ['backup.js', 'backup'],
    ['accounts-command.js', 'list'],
    ['reseal-command.js'],
  ]) {
    const { output } = await run(command, { DATABASE_URL, SECRETS_KEY })
    expect(output).toContain('ECONNREFUSED 127.0.0.1:1\nNothing answers there: is the database up')
  }
})

test('a program that an older Node.js starts names the version that it needs', async () => {
  const older = 'Object.defineProperty(process,"version",{value:"v20.9.0"})'
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(older)}`
  const { code, output } = await run(['backup.js', '--help'], { NODE_OPTIONS })
  expect(code).toBe(1)
  expect(output).toMatch(/^Assay needs Node\.js 24, and this is v20\.9\.0\. Put "npx " before/)
})
