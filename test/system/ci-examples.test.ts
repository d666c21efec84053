import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { type Assay, startAssay } from '../support/assay.ts'

const run = promisify(execFile)
const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'ci')

let assay: Assay
let folder: string

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
  folder = mkdtempSync(join(tmpdir(), 'assay-ci-'))
  await shell(
    'git init -q && git config user.email a@b.c && git config user.name ci && curl -fsSO $ASSAY_URL/api/assay.mjs && node assay.mjs init',
  )
})

afterAll(async () => {
  await assay.stop()
  rmSync(folder, { recursive: true })
})

/** Runs a script as a build server does, in the repository. */
async function shell(script: string, env: Record<string, string> = {}) {
  const surroundings = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    HOME: folder,
    CI: 'true',
    ASSAY_URL: assay.url,
    ...env,
  }
  return run('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env: surroundings }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code: Number(code), stdout, stderr }),
  )
}

const text = (name: string) => readFileSync(join(EXAMPLES, name), 'utf8')

/** The lines that a pipeline runs, in their order. */
const SCRIPTS: Readonly<Record<string, () => string[]>> = {
  'github-actions.yml': () =>
    parse(text('github-actions.yml')).jobs.scenarios.steps.flatMap(
      (step: { run?: string }) => step.run ?? [],
    ),
  'gitlab-ci.yml': () => {
    const { scenarios, apply } = parse(text('gitlab-ci.yml'))
    return [...scenarios.script, ...apply.script]
  },
  Jenkinsfile: () =>
    [...text('Jenkinsfile').matchAll(/\bsh '([^']+)'/g)].map(([, line = '']) => line),
}

const NUMBERS = { GITHUB_RUN_NUMBER: '7', CI_PIPELINE_IID: '7', BUILD_NUMBER: '7' }

describe.each(Object.entries(SCRIPTS))('%s', (_, lines) => {
  test('passes with good scenarios and leaves a report', async () => {
    const script = lines()
    expect(script.length).toBeGreaterThan(2)
    expect(await shell(script.join('\n'), NUMBERS)).toMatchObject({ code: 0 })
    expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toContain('failures="0"')
  })

  test('fails with a readable reason', async () => {
    const rows = join(folder, 'scenarios', 'price.csv')
    const good = readFileSync(rows, 'utf8')
    writeFileSync(rows, good.replace('119', '120'))
    const { code, stdout } = await shell(lines().join('\n'), NUMBERS)
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('Expected that $.gross equals 120, but it is 119'),
    })
    expect(readFileSync(join(folder, 'report.xml'), 'utf8')).toContain('failures="1"')
    writeFileSync(rows, good)
  })
})

test('the hook refuses a commit with faults, and lets others pass', async () => {
  copyFileSync(join(EXAMPLES, 'pre-commit'), join(folder, '.git', 'hooks', 'pre-commit'))
  expect(await shell('git add scenarios && git commit -qm good')).toMatchObject({ code: 0 })
  const file = join(folder, 'scenarios', 'price.testcase.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('function: total', 'function: gone'))
  const refused = await shell('git commit -qam bad')
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.stdout + refused.stderr).toMatch(/price\.testcase\.yaml: .*does not export/)
  const away = { ASSAY_URL: 'http://127.0.0.1:1' }
  expect(await shell('git commit -qam unchecked', away)).toMatchObject({ code: 0 })
  const { stdout } = await run('shellcheck', ['--shell=sh', join(EXAMPLES, 'pre-commit')])
  expect(stdout).toBe('')
})
