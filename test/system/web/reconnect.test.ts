import { chromium } from 'playwright-core'
import { type Assay, startAssay } from '../../_support/assay.ts'
import { pathOf } from '../_support/programs.ts'
import { ask, execute } from './_support/ask.ts'

let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'distributed' })
}, 60_000)
afterAll(() => assay.stop(), 60_000)

const STEPS = 8

test('a page that follows a run continues without a gap when its gateway is killed and started again', async () => {
  const steps = Array.from({ length: STEPS }, (_none, i) => ({
    id: `step-${i}`,
    wait: { ms: 900 },
  }))
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        name: 'Slow steps',
        allowExecuteWithoutCredentials: true,
        useCodeCoverage: false,
        scenario: { steps },
      },
    },
  )
  const id = await execute(assay, createTestCase.id, false)
  const browser = await chromium.launch({
    executablePath: pathOf('chromium'),
    chromiumSandbox: false,
  })
  try {
    const page = await browser.newPage()
    await page.goto(`${assay.url}/executions/${id}?tab=log`)
    await page.getByRole('treeitem', { name: /step-1/ }).waitFor()
    await assay.kill('gateway', 'SIGKILL')
    await page.getByText('The connection to the server is lost').waitFor()
    await assay.restart('gateway')
    await page.getByText('The connection to the server is lost').waitFor({ state: 'hidden' })
    await page.locator('.head .badge', { hasText: 'Completed' }).waitFor({ timeout: 30_000 })

    expect(await page.getByRole('treeitem').count()).toBe(STEPS)
    expect(await page.getByRole('treeitem', { name: 'Completed' }).count()).toBe(STEPS)
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
}, 90_000)
