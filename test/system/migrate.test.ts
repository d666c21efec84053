import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { type Assay, startAssay } from '../support/assay.ts'
import { ADMIN, ADMIN_PASSWORD, basic, USERS_ENV } from '../support/e2e/users.ts'
import { newRepository, type Repository } from '../support/system/assay-command.ts'
import { askOverTls, certFile, keyFile } from '../support/tls.ts'

const LOGIN = 'ann:secret'
const ROOT = '/totaltest/api'
const STARTED = '20260102-03-04-05'
const REPORT = `<?xml version="1.0"?><XaSuiteResult resultType="FAILURE" name="Nightly" startTime="${STARTED}" duration="90">
  <XaUnitResult resultType="SUCCESS" contextId="login" name="Sign in" startTime="${STARTED}" duration="20"/>
  <XaUnitResult resultType="FAILURE" contextId="order" name="Order" startTime="${STARTED}" duration="70">
    <message>no stock</message><step id="a" name="buy" resultType="FAILURE" duration="20">no stock</step>
  </XaUnitResult></XaSuiteResult>`
const EVENT = {
  ...{ id: 'former-1', fingerprint: 'theirs', fingerprintFields: ['@title'], title: 'Disk full' },
  ...{ severity: 'CRITICAL', status: 'ACKNOWLEDGED', source: { ref: 'db1', type: 'host' } },
  ...{ firstSeenAt: 1_500_000_000_000, lastSeenAt: 1_600_000_000_000, timesSeen: 42 },
}

/** Responses of another server of the contract, by path. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/testcase': [
    { id: 'login', name: 'Sign in', description: 'First of all', procedure: '<xml/>' },
    { id: 'order', name: 'Order', description: '', procedure: '<xml/>' },
    { id: 'bad id', name: 'Left out' },
  ],
  '/suite': [{ id: 'nightly', name: 'Nightly', entries: [{ id: 'login' }, { id: 'order' }] }],
  '/result/r1/details': { id: 'r1', type: 'SUITE', report: REPORT },
  '/v1/events': { counts: { total: 1 }, items: [EVENT] },
}

/** It has pages of two, whatever is asked for. */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://old')
  const path = pathname.replace(/^.old/, '')
  const isIn = request.headers.authorization === basic('ann', 'secret').authorization
  if (!isIn && request.headers.token !== 'a-token') return void response.writeHead(401).end()
  response.setHeader('content-type', 'application/json')
  if (path === '/authenticate') return void response.end('{"token":"a-token"}')
  const found = ANSWERS[path]
  const from = 2 * Number(searchParams.get('pageNumber'))
  response.end(JSON.stringify(Array.isArray(found) ? found.slice(from, from + 2) : found))
}

let assay: Assay
let url: string
let repository: Repository
let env: Record<string, string>
const old = createServer(answer)

beforeAll(async () => {
  old.listen(0, '127.0.0.1')
  await once(old, 'listening')
  const tls = { TLS_CERT_FILE: certFile('first'), TLS_KEY_FILE: keyFile('first') }
  assay = await startAssay({
    mode: 'in-process',
    env: { ...USERS_ENV, ...tls, API_ROOT_PATH: ROOT },
  })
  url = `https://localhost:${new URL(assay.url).port}`
  const authenticate = { method: 'POST', headers: basic(ADMIN, ADMIN_PASSWORD) }
  const { token } = JSON.parse((await askOverTls(`${url}${ROOT}/authenticate`, authenticate)).body)
  const { body: command } = await askOverTls(`${url}${ROOT}/assay.mjs`)
  const ca = { NODE_EXTRA_CA_CERTS: certFile('first'), CURL_CA_BUNDLE: certFile('first') }
  repository = await newRepository({ url: url + ROOT }, { ASSAY_TOKEN: token, ...ca }, command)
  env = {
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    NEW: url + ROOT,
    OLD: `http://127.0.0.1:${(old.address() as AddressInfo).port}/old`, // it listens on a port
    OLD_LOGIN: LOGIN,
    OLD_RESULT: 'r1',
  }
})

afterAll(async () => {
  old.close()
  await assay.stop()
  repository.remove()
})

/** The commands of a section of the guide. */
function commandsOf(section: string): string {
  const guide = readFileSync('docs/how-to/migrate.md', 'utf8')
  const [, text = ''] = guide.split(`${section}\n`)
  return [...(text.split('\n## ')[0] ?? '').matchAll(/```text\n([\s\S]*?)```/g)]
    .map(([, block]) => block)
    .join('')
}

const follow = (section: string) =>
  repository.run('bash', ['-euo', 'pipefail', '-c', commandsOf(section)], env)

const list = async (...args: string[]) => {
  const { stdout } = await repository.assay([...args, '--json'])
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('the guide', () => {
  test('its first command gets the command over TLS, below the old path', async () => {
    repository.write('assay.mjs', '')
    expect(await follow('# Migrate from another server')).toMatchObject({ code: 0 })
    expect(repository.read('assay.mjs')).toMatch(/^#!/)
  })

  test('scenarios and suites keep their ids, and are green nowhere', async () => {
    const { code, stdout, stderr } = await follow('## Scenarios and suites')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/testcase bad id is left out/),
    })
    expect(stdout).toMatch(/^2 scenarios and 1 suites are in scenarios$/m)
    expect(stdout).toMatch(/Set scenarios: 3 created/)
    expect(repository.read('scenarios/login.testcase.yaml')).toMatch(/description: First of all\n/)
    expect(JSON.parse(repository.read('scenarios/login.testcase.former.json'))).toMatchObject({
      procedure: '<xml/>',
    })
    expect(repository.read('scenarios/nightly.suite.yaml')).toMatch(/testCases: \[ login, order \]/)
    expect(await repository.assay(['run', 'order'], { ASSAY_CREDENTIALS: 'a:b' })).toMatchObject({
      stdout: expect.stringMatching(/^ERROR order/),
    })
    expect((await repository.assay(['import', 'repository', 'nowhere'])).code).toBe(2)
    expect(await repository.assay(['import', 'repository', env.OLD ?? '', 'x'])).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/HTTP 401\. Set ASSAY_FORMER_LOGIN/),
    })
  })

  test('results become executions, once', async () => {
    for (const _ of [1, 2]) expect(await follow('## Results')).toMatchObject({ code: 0 })
    const found = await list('results', '--filter', '{"labels":{"from":"old"},"type":"SUITE"}')
    expect(found).toMatchObject([
      {
        ...{ contextId: 'nightly', state: 'FAILED', started: '2026-01-02T03:04:05.000+0000' },
        testCaseResults: [{ state: 'COMPLETED' }, { state: 'FAILED', message: 'no stock' }],
      },
    ])
  })

  test('events keep their ids, times and counts, once', async () => {
    expect((await follow('## Stored events')).stdout).toBe(
      '1 created, 0 merged, 0 unchanged, 0 refused\n',
    )
    expect((await follow('## Stored events')).stdout).toMatch(/1 unchanged/)
    const headers = basic(ADMIN, ADMIN_PASSWORD)
    const { body } = await askOverTls(`${url}/v1/events/former-1`, { headers })
    const { title, status, timesSeen, firstSeenAt, lastSeenAt } = EVENT
    expect(JSON.parse(body)).toMatchObject({ title, status, timesSeen, firstSeenAt, lastSeenAt })
    repository.write('broken.json', '{"title":')
    expect(await repository.assay(['import', 'events', 'broken.json'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/broken\.json, line 1: expected JSON/),
    })
  })
})

describe('reports of other tools', () => {
  const labels = ['--env', 'stage', '--label', 'build=7']
  const importOf = async (...args: string[]) => {
    const { code, stdout, stderr } = await repository.assay(['import', ...args, '--json'])
    return { code, stderr, ...(stdout && { result: JSON.parse(stdout) }) }
  }

  test('JUnit brings files and tries, runs in an environment, and is stored once', async () => {
    repository.write('out/shot.png', 'shot')
    repository.write('out/page.bin', new Uint8Array(6_000_000))
    repository.write(
      'out/report.xml',
      `<testsuite timestamp="2026-01-02T03:04:05Z"><testcase name="flaky" time="1"><flakyFailure message="early"/></testcase>
       <testcase name="bad"><failure message="no"/><system-out>[[ATTACHMENT|shot.png]]
[[ATTACHMENT|page.bin]] [[ATTACHMENT|gone.txt]]</system-out></testcase></testsuite>`,
    )
    const first = await importOf('junit', 'out/report.xml', ...labels)
    expect(first).toMatchObject({ code: 0, result: { contextId: 'report', state: 'FAILED' } })
    expect(first.stderr).toMatch(/page\.bin is not attached: it has more than 5242880 bytes/)
    expect(first.stderr).toMatch(/gone\.txt is not attached: there is no such file/)
    const again = await importOf('junit', 'out/report.xml', ...labels)
    expect(again.result.id).toBe(first.result.id)
    const headers = basic(ADMIN, ADMIN_PASSWORD)
    const read = async (path: string) =>
      (await askOverTls(`${url}${ROOT}${path}`, { headers })).body
    const report = await read(`/result/${first.result.id}/details?format=junit`)
    expect(report).toContain('<property name="environment" value="stage"/>')
    expect(report).toContain('<property name="build" value="7"/>')
    expect(report).toContain('<flakyFailure message="early"')
    const [, bad] = first.result.testCaseResults
    const [file] = JSON.parse(await read(`/result/${bad.id}/attachments`))
    expect(file).toMatchObject({ name: 'shot.png', contentType: 'image/png' })
    expect(await read(`/attachments/${file.id}`)).toBe('shot')
  })

  test('a test that Playwright retried is flaky', async () => {
    const result = (status: string) => ({ status, duration: 5, startTime: '2026-01-02T03:04:05Z' })
    const tests = [{ status: 'flaky', results: [result('failed'), result('passed')] }]
    const report = { suites: [{ title: 'a.spec.ts', specs: [{ title: 'buys', tests }] }] }
    repository.write('playwright.json', JSON.stringify(report))
    expect(await importOf('playwright', 'playwright.json')).toMatchObject({
      code: 0,
      result: { state: 'COMPLETED' },
    })
    const headers = { ...basic(ADMIN, ADMIN_PASSWORD), 'content-type': 'application/json' }
    const query =
      '{ executionResults(first: 1, filter: { names: ["a.spec.ts › buys"] }) { nodes { isFlaky } } }'
    const body = JSON.stringify({ query })
    const answered = await askOverTls(`${url}/graphql`, { method: 'POST', headers, body })
    expect(JSON.parse(answered.body).data.executionResults.nodes).toEqual([{ isFlaky: true }])
  })

  test('Cucumber brings steps with what they embed', async () => {
    const step = {
      ...{ keyword: 'Then ', name: 'it is paid', result: { status: 'failed', duration: 1e6 } },
      embeddings: [{ mime_type: 'text/plain', data: btoa('seen') }],
    }
    repository.write(
      'cucumber.json',
      JSON.stringify([
        { name: 'Shop', elements: [{ type: 'scenario', name: 'buys', steps: [step] }] },
      ]),
    )
    const { result } = await importOf('cucumber', 'cucumber.json')
    expect(result).toMatchObject({
      state: 'FAILED',
      testCaseResults: [{ contextId: 'Shop › buys' }],
    })
  })

  test('a huge log is cut, and more tests than one import takes are refused with the limit', async () => {
    const log = 'x'.repeat(30_000_000)
    repository.write(
      'log.xml',
      `<testsuite><testcase name="a"><system-out>${log}</system-out></testcase></testsuite>`,
    )
    expect(await importOf('junit', 'log.xml')).toMatchObject({ code: 0 })
    const tests = Array.from({ length: 2_001 }, (_, n) => `<testcase name="t${n}"/>`).join('')
    repository.write('many.xml', `<testsuite>${tests}</testsuite>`)
    expect(await importOf('junit', 'many.xml')).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/2001 in one import, expected 1 to 2000 \(IMPORT_SCENARIOS\)/),
    })
  })
})
