import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Assay, startAssay } from '../../_support/assay.ts'
import { launchBrowser, newPage } from '../_support/browser.ts'
import { ask, execute } from './_support/ask.ts'

let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'distributed' })
})
afterAll(() => assay.stop())

const STEPS = 8
/** This step waits until the page is connected again, and the next one until the test has read what the page shows. */
const GATE = 4

test('a page that follows a run continues without a gap when its gateway is killed and started again', async () => {
  const gate = createServer().listen(0, '127.0.0.1')
  await once(gate, 'listening')
  const { port } = gate.address() as AddressInfo // it listens on a port
  const waiting: ServerResponse[] = []
  gate.on('request', (_request, response) => waiting.push(response))
  const open = async () => {
    while (!waiting.length) await once(gate, 'request')
    waiting.pop()?.end()
  }
  await ask(
    assay,
    'mutation Create($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
    { input: { id: 'near', name: 'Near', allowedHosts: [`127.0.0.1:${port}`] } },
  )
  const steps = Array.from({ length: STEPS }, (_none, i) => ({
    id: `step-${i}`,
    ...(i === GATE || i === GATE + 1
      ? { http: { url: `http://127.0.0.1:${port}/` } }
      : { wait: { ms: 900 } }),
  }))
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
    await open()
    await page.getByText(`Step step-${GATE} COMPLETED`).waitFor()
    expect(await page.locator('.head .badge').first().textContent()).toBe('Running')
    const arrived = await page.locator('.log .text').allInnerTexts()
    expect(arrived.filter((line) => line.includes('COMPLETED')).length).toBe(GATE + 1)
    expect(new Set(arrived).size).toBe(arrived.length)
    await open()
    await page.locator('.head .badge', { hasText: 'Completed' }).waitFor()

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
    gate.close()
    await browser.close()
  }
})
