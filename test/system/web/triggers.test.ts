import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { ask } from '../../support/web/ask.ts'

/** Triggers as people make them in the browser. */
const open = useBrowser()
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
  await ask(
    assay,
    `mutation { createTestCase(input: { id: "smoke", name: "Smoke test",
      scenario: "steps: [{ id: a, wait: { ms: 1 } }]", allowExecuteWithoutCredentials: true }) { id } }`,
  )
})
afterAll(() => assay.stop())

const choose = async (page: Page, label: string, name: string) => {
  await page.getByLabel(`${label}: name of`).fill(name)
  await page.getByRole('button', { name: `${label}: add` }).click()
}
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

/** The attribute whose field shows a fault. */
const faultAt = (page: Page, label: string, text: string) =>
  page
    .locator('.field')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('.fault', { hasText: text })
    .waitFor()

/** As GitHub sends it. */
const push = (address: string, secret: string, delivery: string) => {
  const body = '{"ref":"refs/heads/main"}'
  const digest = createHmac('sha256', secret).update(body).digest('hex')
  return fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${digest}`,
      'x-github-delivery': delivery,
    },
    body,
  })
}

test('a trigger for pushes is made, called at the address that it shows, and leads to what it started', async () => {
  const page = await open(`${assay.url}/`)
  await page.getByRole('link', { name: 'Triggers' }).first().click()
  await page.getByText('when GitHub, GitLab or another sender calls it').waitFor()
  await page.getByRole('link', { name: 'New trigger' }).click()
  await page.getByRole('heading', { level: 1, name: 'New trigger' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('pushes')
  await page.getByLabel('Started by').selectOption('Requests of GitHub')
  await page.getByLabel('Secret', { exact: true }).fill('short')
  await page.getByLabel('Executions within an hour').fill('0')
  await page.getByLabel('Labels').fill('trigger=mine')
  await faultAt(page, 'Executions within an hour, at most', 'must be >= 1')
  await page.getByLabel('Executions within an hour').fill('2')
  await faultAt(page, 'Secret', 'expected at least 16 characters')
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  const secret = await page.getByLabel('Secret', { exact: true }).inputValue()
  await faultAt(page, 'Labels', 'executions of a trigger have the label trigger')
  await page.getByLabel('Labels').fill('branch=$.ref')
  await choose(page, 'Scenario or suite to execute', 'Smoke test')
  await page.locator('.fault').first().waitFor({ state: 'detached' })
  const address = (await page.locator('code').textContent()) ?? ''
  expect(address).toBe(`${assay.url}/v1/triggers/pushes`)
  await save(page)

  await page.getByRole('heading', { level: 1, name: 'pushes' }).waitFor()
  await page.getByText('Payload URL').waitFor()
  await page.getByText('It has not run yet').waitFor()
  expect(await page.content()).not.toContain(secret)
  expect((await push(address, secret, 'first')).status).toBe(202)
  await page.reload()
  await page.locator('.card', { hasText: 'Last run' }).getByRole('link').first().click()
  await page.getByText('refs/heads/main').waitFor()
  await page.getByRole('link', { name: 'Trigger', exact: true }).click()
  await page.getByRole('link', { name: 'All its runs' }).click()
  await page.getByLabel('Origin').selectOption('Trigger')
  await page.waitForURL(/origin=TRIGGER/)
  await page.locator('.rows .cover').waitFor()

  // The stored secret stays where another attribute is changed.
  await page.goBack()
  await page.goBack()
  await page.getByRole('link', { name: 'Edit' }).click()
  expect(await page.getByLabel('Secret', { exact: true }).inputValue()).toBe('***')
  await page.getByLabel('Executions within an hour').fill('1')
  await save(page)
  await page.getByText('1 within an hour').waitFor()
  expect((await push(address, secret, 'second')).status).toBe(429)
  await page.reload()
  await page.getByText('as many as it may (perHour)').waitFor()
  await page.getByRole('button', { name: 'Show changes' }).click()
  await page.locator('.changes .added', { hasText: 'perHour: 1' }).waitFor()
})

test('a trigger for events is found by its name, runs for an event, is paused, and is taken back', async () => {
  const page = await open(`${assay.url}/repository/triggers/+new`)
  await page.getByLabel('Name', { exact: true }).fill('Outage')
  await page.getByLabel('Events').fill('severity:')
  await page.locator('.fault', { hasText: 'it is wrong at character 10' }).waitFor()
  await page.getByLabel('Events').fill('title:"Shop down"')
  await page.getByLabel('acknowledged').check()
  await choose(page, 'Scenario or suite to execute', 'Smoke test')
  await save(page)
  await page.getByText('opened, reopened, raised, acknowledged').waitFor()
  await eventually(async () => {
    const event = { title: 'Shop down', status: 'OPEN', source: { ref: `shop-${Date.now()}` } }
    await fetch(`${assay.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([event]),
    })
    await page.reload()
    await page
      .getByText(/^(All its runs|It has not run yet)$/)
      .first()
      .waitFor()
    expect(await page.getByText('All its runs').count()).toBe(1)
  })
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Enable' }).waitFor()
  await page.locator('dd', { hasText: /^No$/ }).waitFor()

  await page.keyboard.press('Control+k')
  const found = page.getByRole('dialog', { name: 'Find' })
  await found.getByRole('combobox').fill('outage')
  await found.getByRole('option', { name: /Outage.*Trigger/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Restore' }).click()
  await save(page)
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  await page.goto(`${assay.url}/repository/triggers`)
  await page
    .getByRole('row', { name: /Outage/ })
    .getByText('title:"Shop down"')
    .waitFor()
})
