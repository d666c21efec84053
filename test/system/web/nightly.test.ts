import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { productKeys } from '../../support/product-keys.ts'
import { newRepository, type Repository } from '../../support/system/assay-command.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { type DebianPostgres, startDebianPostgres } from '../../support/system/debian-postgres.ts'
import { type SharedClock, startClock } from '../../support/system/fake-time.ts'

/** A suite that fails two nights, in the browser and by the command. The nights are over for the browser. */
const open = useBrowser()
let clock: SharedClock
let database: DebianPostgres
let assay: Assay
let repository: Repository
let shop: Server
let status = 500

/** Just before two o'clock. */
function beforeNight(daysAgo: number): Date {
  const time = new Date(Date.now() - daysAgo * 86_400_000)
  time.setUTCHours(1, 59, 57)
  return time
}

beforeAll(async () => {
  shop = createServer((_, response) => response.writeHead(status).end('fine'))
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  clock = await startClock(beforeNight(5))
  database = await startDebianPostgres({ env: clock.env })
  const keys = productKeys()
  const env = { ...keys, ...clock.env, DATABASE_URL: database.url, EXAMPLES: 'false' }
  assay = await startAssay({ mode: 'in-process', env })
  repository = await newRepository(assay)
})
afterAll(async () => {
  repository?.remove()
  await assay?.stop()
  await database?.stop()
  await clock?.remove()
  shop?.close()
})

/** Results of the suite that the schedule has started. */
const FILTER = '{"contextId":"smoke","startedBy":"schedule"}'

const STEPS =
  '  steps: [{ id: ask, http: { url: /price }, expect: [{ name: it answers, assert: status, value: 200 }] }]'

/** Stores the files of a user. */
async function applySuite(): Promise<void> {
  const { port } = shop.address() as AddressInfo // it listens on a port
  const open = 'allowExecuteWithoutCredentials: true'
  for (const [name, ...lines] of [
    ['shop.environment', `baseUrl: http://127.0.0.1:${port}`],
    ['price.testcase', 'name: The price', 'environment: shop', open, 'scenario:', STEPS],
    ['idle.testcase', open, 'scenario:', '  steps: [{ id: wait, wait: { ms: 1 } }]'],
    ['smoke.suite', 'name: Smoke tests', 'testCases: [price, idle]'],
  ])
    repository.write(`scenarios/${name}.yaml`, lines.join('\n'))
  expect(await repository.assay(['apply', 'scenarios'])).toMatchObject({ code: 0 })
}

/** Results of the suite, by the command. */
async function results(): Promise<{ id: string; state: string }[]> {
  const { stdout } = await repository.assay(['results', '--filter', FILTER, '--json'])
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line))
}

async function pass(daysAgo: number, runs: number): Promise<void> {
  await clock.set(beforeNight(daysAgo))
  await eventually(async () => {
    const all = await results()
    expect(all).toHaveLength(runs)
    expect(all[0]?.state).toBe('FAILED')
  })
}

test('a suite of each night fails twice, is explained by its cause, run again where it failed, and closed', async () => {
  await applySuite()
  const page = await open(`${assay.url}/`)
  await page.getByRole('link', { name: 'Schedules' }).first().click()
  await page.getByRole('link', { name: 'New schedule' }).click()
  await page.getByRole('heading', { level: 1, name: 'New schedule' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Nightly')
  await page.getByLabel('Times', { exact: true }).fill('0 2 * * *')
  await page.getByLabel('Time zone').fill('UTC')
  await page.getByLabel('Scenario or suite to execute: name of').fill('Smoke tests')
  await page.getByRole('button', { name: 'Scenario or suite to execute: add' }).click()
  await page.getByRole('button', { name: 'Remove Smoke tests' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Nightly' }).waitFor()
  await page.getByText('It has not run yet').waitFor()
  await pass(4, 1)
  await pass(3, 2)
  await page.reload()
  await page.getByRole('link', { name: 'All its runs' }).waitFor()

  await page.getByRole('link', { name: 'Overview' }).click()
  const failing = page.locator('.card', { hasText: 'Failing now' })
  await failing.getByText('1 scenario').waitFor()
  await failing.getByRole('link', { name: 'HTTP_500' }).click()
  await page.locator('dl', { hasText: 'Failures' }).getByText('2', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Set verdict' }).click()
  await page.locator('select[name=verdict]').selectOption('Product')
  await page.getByLabel('Owner').fill('ann')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.locator('.head .badge', { hasText: 'Product' }).waitFor()
  await page.getByRole('link', { name: 'The price' }).click()
  await page.getByText(', 2 runs').waitFor()

  // The same by the command.
  const [last] = await results()
  const told = (await repository.assay(['results', last?.id ?? ''])).stdout
  expect(told).toContain('cause: seen 2 times in 1 scenario, verdict PRODUCT, ann')
  expect(told).toMatch(/fails since .*, 2 runs; last good: none/)
  const rerun = await repository.assay(['run', '--failed', last?.id ?? ''])
  expect(rerun).toMatchObject({ code: 1, stdout: expect.stringContaining('0 of 1 scenarios') })

  status = 200
  await page.getByRole('link', { name: 'Suite', exact: true }).first().click()
  await page.getByRole('button', { name: 'Run failed again' }).click()
  await page.locator('.head .badge', { hasText: 'Passed' }).waitFor()
  await page.locator('dl', { hasText: 'Repeats' }).waitFor()
  await page.getByText('1 of 1').waitFor()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByText('Nothing fails now.').waitFor()
  const events = async () => (await repository.assay(['events', 'list', '--json'])).stdout
  await eventually(async () => {
    const all = await events()
    expect(all).toContain('"The price')
    expect(all).not.toContain('"OPEN"')
  })
})
