import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { create } from '../conformance/artifacts.ts'
import { graphql, readUntil } from '../conformance/calls.ts'
import { checkAgainst } from '../conformance/row.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { withTimeEnough } from '../support/eventually.ts'
import { pathOf } from '../support/system/programs.ts'

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
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await assay.stop()
})

const surroundings = (env: Record<string, string> = {}) => ({
  PATH: process.env.PATH ?? '',
  ASSAY_URL: assay.url,
  ASSAY_CREDENTIALS: 'ci:secret',
  ...env,
})

/** Runs a shell command as a build server does. */
async function shell(command: string, env: Record<string, string> = {}) {
  const options = { cwd: folder, env: surroundings(env) }
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

test.each(['/', '/api', '/api/'])('ASSAY_URL may end with %s, as for the command', async (end) => {
  const { id } = await create('suite', { testCases: ['loan-schedule'] })
  const { code, stderr } = await shell(`${SCRIPT} ${id}`, { ASSAY_URL: assay.url + end })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

/** Stands before the product, and loses the first response of each kind of start. */
async function losing(): Promise<{ url: string; stop(): void; losses(): number }> {
  let losses = 0
  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '', headers } = request
    const isStart = url.endsWith('/execute')
    const answer = await fetch(assay.url + url, {
      method,
      headers: Object.entries(headers).filter(
        (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[0] !== 'host',
      ),
    })
    if (isStart && losses++ === 0) return response.destroy()
    return response.writeHead(answer.status).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api`,
    losses: () => losses,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const resultsOf = (contextId: string) =>
  graphql<{ executionResults: { nodes: { state: string; message: string }[] } }>(
    'query ($id: ID!) { executionResults(filter: { contextId: $id }) { nodes { state message } } }',
    { id: contextId },
  ).then(({ executionResults }) => executionResults.nodes)

test('a start whose response is lost is repeated, and nothing runs twice', async () => {
  const { id } = await create('suite', { testCases: ['loan-schedule'] })
  const proxy = await losing()
  const { code } = await shell(`${SCRIPT} ${id}`, { ASSAY_URL: proxy.url })
  proxy.stop()
  expect({ code, starts: proxy.losses() }).toEqual({ code: 0, starts: 2 })
  expect(await resultsOf(id)).toHaveLength(1)
})

test.each([
  ['TERM', 143, 'terminated'],
  ['INT', 130, 'interrupted'],
] as const)('a build that is aborted with %s cancels its run', async (signal, code, reason) => {
  const { id: testCase } = await create('testcase', {
    scenario: { steps: [{ id: 'pause', wait: { ms: 60_000 } }] },
  })
  const { id } = await create('suite', { testCases: [testCase] })
  const build = spawn('sh', [SCRIPT, id], { cwd: folder, env: surroundings(), stdio: 'pipe' })
  const said = text(build.stderr)
  await readUntil(
    () => resultsOf(id),
    ({ length }) => length > 0,
  )
  build.kill(`SIG${signal}`)
  expect(await once(build, 'exit')).toEqual([code, null])
  expect(await said).toContain('was cancelled')
  expect(await resultsOf(id)).toEqual([
    { state: 'ERROR', message: `Cancelled by anonymous: ${reason}` },
  ])
  expect(report()).toContain(`Cancelled by anonymous: ${reason}`)
})

test.each([
  ['no such suite', `${SCRIPT} no-such-suite`, {}, /NOT_FOUND/],
  ['no credentials', `${SCRIPT} finance`, { ASSAY_CREDENTIALS: '' }, /ASSAY_CREDENTIALS/],
  ['no server', `${SCRIPT} finance`, { ASSAY_URL: 'http://127.0.0.1:1' }, /not started/],
  ['no time', `${SCRIPT} finance`, { ASSAY_TIMEOUT: '0' }, /in time/],
])('with %s it says so and ends with 2', async (_, command, env, message) => {
  const { code, stderr } = await shell(command, env)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) })
})

test('a reader of Server-Sent Events whose network is lost is noticed within three keep-alives', async () => {
  const main = join(ROOT, 'test', 'support', 'system', 'lost-reader.main.ts')
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  await withTimeEnough(1_500, async (keepAliveMs) => {
    const args = ['-rn', process.execPath, main, String(keepAliveMs)]
    const { stdout } = await run('unshare', args, { env })
    const { keptMs } = JSON.parse(stdout)
    expect(keptMs).toBeGreaterThan(keepAliveMs)
    expect(keptMs).toBeLessThan(4 * keepAliveMs)
  })
})
