import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Assay, startAssay } from '../_support/assay.ts'
import { create } from '../conformance/artifacts.ts'
import { checkAgainst } from '../conformance/row.ts'
import { pathOf } from './_support/programs.ts'

const run = promisify(execFile)

const ROOT = join(import.meta.dirname, '..', '..')
const SCRIPT = 'examples/clients/run-suite.sh'

let assay: Assay
let folder: string

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
  checkAgainst(assay.url)
  folder = mkdtempSync(join(tmpdir(), 'assay-clients-'))
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'))
}, 60_000)

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await assay.stop()
}, 30_000)

/** Runs a shell command as a build server does. */
async function shell(command: string, env: Record<string, string> = {}) {
  const surroundings = {
    PATH: process.env.PATH ?? '',
    ASSAY_URL: `${assay.url}/api`,
    ASSAY_CREDENTIALS: 'ci:secret',
    ...env,
  }
  const options = { cwd: folder, env: surroundings }
  return run('sh', ['-c', command], options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), stdout, stderr }),
  )
}

const report = () => readFileSync(join(folder, 'report.xml'), 'utf8')

test('the script has no fault that shellcheck knows', async () => {
  const { stdout } = await run(pathOf('shellcheck'), ['--shell=sh', join(ROOT, SCRIPT)])
  expect(stdout).toBe('')
})

test('what the Jenkinsfile runs fails the build, and leaves a report that says why', async () => {
  const jenkinsfile = readFileSync(join(ROOT, 'examples/clients/Jenkinsfile'), 'utf8')
  const [, command = ''] = /sh '([^']+)'/.exec(jenkinsfile) ?? []
  const { code, stdout } = await shell(command)
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining('ended: FAILED') })
  expect(report()).toContain('failures="1"')
})

test.each([
  [['loan-schedule'], 'COMPLETED', 0],
  [['loan-schedule', 'shipping-quote'], 'ERROR', 1],
])('a suite of %j ends %s, and the script with %i', async (testCases, state, expected) => {
  const { id } = await create('suite', { testCases })
  const { code, stdout } = await shell(`${SCRIPT} ${id}`)
  expect({ code, stdout }).toEqual({
    code: expected,
    stdout: expect.stringContaining(`ended: ${state}, see report.xml`),
  })
  expect(report()).toMatch(/^<\?xml/)
})

test.each([
  ['no such suite', `${SCRIPT} no-such-suite`, {}, /NOT_FOUND/],
  ['no credentials', `${SCRIPT} finance`, { ASSAY_CREDENTIALS: '' }, /ASSAY_CREDENTIALS/],
  ['nobody there', `${SCRIPT} finance`, { ASSAY_URL: 'http://127.0.0.1:1/api' }, /not started/],
  ['no time', `${SCRIPT} finance`, { ASSAY_TIMEOUT: '0' }, /in time/],
])('with %s it says so and ends with 2', async (_, command, env, message) => {
  const { code, stderr } = await shell(command, env)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
})
