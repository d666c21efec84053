import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Assay, startAssay } from '../support/assay.ts'
import { type Collector, startCollector } from '../support/collector.ts'
import { Client } from '../support/e2e/users.ts'

const COMMAND = join(import.meta.dirname, '..', '..', 'dist', 'reseal-command.js')
const VALUE = 'swordfish-4711'

let assay: Assay
let collector: Collector
beforeAll(async () => {
  collector = await startCollector()
  assay = await startAssay({ mode: 'in-process' })
})
afterAll(async () => {
  await assay?.stop()
  await collector?.stop()
})

const reseal = () =>
  promisify(execFile)(process.execPath, [COMMAND], { env: { ...process.env, ...assay.env } })

/** Request of a step that uses the secret. */
async function sentByScenario(): Promise<string> {
  const before = collector.requests.length
  const credentials = Buffer.from('host:secret').toString('base64')
  const { status } = await new Client(assay.url).rest(
    'POST',
    '/testcase/sends-it/execute?synchron=true',
    { credentials },
  )
  expect(status).toBe(200)
  return (await collector.received(before + 1)).at(-1)?.headers.authorization ?? ''
}

test('the key of a data folder is changed as docs/how-to/change-keys.md says', async () => {
  const client = new Client(assay.url)
  const port = new URL(collector.url).port
  const make = (kind: string, body: object) => client.rest('POST', `/${kind}`, {}, body)
  const environment = { secrets: [{ name: 'TOKEN', value: VALUE }], baseUrl: collector.url }
  const allowedHosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  await make('environment', { id: 'lab', name: 'Lab', ...environment, allowedHosts })
  const http = { method: 'GET', url: '/in', headers: { authorization: '{{env.TOKEN}}' } }
  const made = await make('testcase', {
    ...{ id: 'sends-it', name: 'Sends it', componentUnderTest: 'loan-schedule' },
    ...{ environment: 'lab', scenario: { steps: [{ id: 'send', http }] } },
  })
  expect(made.body).toMatchObject({ id: 'sends-it' })
  expect(await sentByScenario()).toBe(VALUE)

  const file = join(assay.env.DATA_DIR ?? '', 'keys.json')
  const changeKeys = async (change: (keys: Record<string, string>) => object) => {
    await assay.kill('server', 'SIGTERM')
    await writeFile(file, JSON.stringify(change(JSON.parse(await readFile(file, 'utf8')))))
    await assay.restart('server')
  }
  await changeKeys(({ secretsKey, ...keys }) => ({
    ...keys,
    previousSecretsKey: secretsKey,
    secretsKey: randomBytes(32).toString('base64'),
  }))
  expect(await sentByScenario()).toBe(VALUE)
  const { stdout } = await reseal()
  expect(stdout).toMatch(/secrets of environments: [1-9]\d* resealed, 0 current/)
  expect(stdout).toMatch(/the previous key can go\n$/)
  await changeKeys(({ previousSecretsKey: _, ...keys }) => keys)
  expect(await sentByScenario()).toBe(VALUE)
  expect((await reseal()).stdout).toMatch(/secrets of environments: 0 resealed, [1-9]/)
})
