import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { useGate } from '../../support/gate.ts'
import { launchBrowser, newPage } from '../../support/system/browser.ts'
import { ask, execute } from '../../support/web/ask.ts'

let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'distributed' })
})
afterAll(() => assay.stop())

const STEPS = 8
/** This step waits until the page is connected again, and the next one until the test has read what the page shows. */
const GATE = 4
const gate = useGate()

test('a page that follows a run continues without a gap when its gateway is killed and started again', async () => {
  await ask(
    assay,
    'mutation Create($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
    { input: { id: 'near', name: 'Near', allowedHosts: [gate().host] } },
  )
  const steps = Array.from({ length: STEPS }, (_none, i) => {
    const id = `step-${i}`
    return i === GATE || i === GATE + 1 ? gate().step(id) : { id, wait: { ms: 900 } }
  })
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        name: 'Slow steps',
        environment: 'near',
        allowExecuteWithoutCredentials: true,
        useCodeCoverage: false,
        scenario: { steps },
      },
    },
  )
  const id = await execute(assay, createTestCase.id, false)
  const browser = await launchBrowser()
  try {
    const page = await newPage(browser)
    await page.goto(`${assay.url}/executions/${id}?tab=log`)
    await page.getByRole('treeitem', { name: /step-1/ }).waitFor()
    await assay.kill('gateway', 'SIGKILL')
    await page.getByText('The connection to the server is lost').waitFor()
    await assay.restart('gateway')
    await page.getByText('The connection to the server is lost').waitFor({ state: 'hidden' })
    await page.getByRole('treeitem', { name: `step-${GATE}` }).waitFor()
    await gate().letOneThrough()
    await page.getByText(`Step step-${GATE} COMPLETED`).waitFor()
    expect(await page.locator('.head .badge').first().textContent()).toBe('Running')
    const arrived = await page.locator('.log .text').allInnerTexts()
    expect(arrived.filter((line) => line.includes('COMPLETED')).length).toBe(GATE + 1)
    expect(new Set(arrived).size).toBe(arrived.length)
    await gate().letOneThrough()
    await page.locator('.head .badge', { hasText: 'Passed' }).waitFor()

    await eventually(async () => {
      expect(await page.getByRole('treeitem').count()).toBe(STEPS)
      expect(await page.getByRole('treeitem', { name: 'Passed' }).count()).toBe(STEPS)
    })
    const { executionResult } = await ask<{ executionResult: { log: string } }>(
      assay,
      'query Log($id: ID!) { executionResult(id: $id) { log } }',
      { id },
    )
    const lines = executionResult.log.split('\n').filter(Boolean)
    await page
      .locator('.log .text')
      .nth(lines.length - 1)
      .waitFor()
    const shown = await page.locator('.log .text').allInnerTexts()
    expect(shown).toEqual(lines.map((line) => line.split(' ').slice(2).filter(Boolean).join(' ')))
  } finally {
    await browser.close()
  }
})

test('a page that cannot be loaded without a connection says so, loads by itself or on request, and loses no draft', async () => {
  const browser = await launchBrowser()
  try {
    const page = await newPage(browser)
    await page.goto(`${assay.url}/repository/suites/+new`)
    await page.getByLabel('Name', { exact: true }).fill('Nightly')
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Trends' }).click()
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    // The page would find the server by itself, and take the button away.
    await page.route(`${assay.url}/`, (route) => route.abort())
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Trends', exact: true }).waitFor()
    await page.unroute(`${assay.url}/`)
    await page.goBack()
    await page.getByText('Not saved').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Nightly')

    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Saved views' }).click()
    await page.getByRole('heading', { name: 'The server cannot be reached' }).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { level: 1, name: 'Saved views' }).waitFor()
    await page.getByText('No view is saved').waitFor()
  } finally {
    await browser.close()
  }
})
