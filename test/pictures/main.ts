import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { startAssay } from '../support/assay.ts'
import { pathOf } from '../support/system/programs.ts'
import { ask, execute } from '../support/web/ask.ts'
import { STATES } from './states.ts'
import { takeStory } from './story.ts'

/** Pictures of every page and state in both themes and two widths, to be looked at, and the moving one of README: `npm run pictures -- FOLDER [part of a name]`. */
const [folder = 'pictures', wanted = ''] = process.argv.slice(2)
const STORY = 'story'
const VIEWS = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1440, height: 900 },
  { colorScheme: 'light', width: 390, height: 844 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const

const assay = await startAssay({ mode: 'in-process' })
const browser = await chromium.launch({
  executablePath: pathOf('chromium-headless-shell'),
  chromiumSandbox: false, // root has none; the pages are ours
})
try {
  await mkdir(folder, { recursive: true })
  if (wanted !== STORY) await takePages()
  // Last, as it mends an example.
  if (STORY.includes(wanted)) await takeStory(assay, browser, join(folder, 'story.webp'))
} finally {
  await browser.close()
  await assay.stop()
}

async function takePages(): Promise<void> {
  const pages = await prepared()
  for (const view of VIEWS) {
    const page = await browser.newPage({ viewport: view, colorScheme: view.colorScheme })
    for (const [name, path] of Object.entries(pages))
      if (name.includes(wanted))
        await take(page, path, join(folder, `${name}-${view.width}-${view.colorScheme}.png`))
    await page.close()
    for (const [name, { path, prepare, text }] of Object.entries(STATES))
      if (name.includes(wanted)) {
        const page = await browser.newPage({ viewport: view, colorScheme: view.colorScheme })
        await prepare(page)
        await page.goto(assay.url + path)
        await page.locator('main, .toasts').getByText(text).first().waitFor()
        await page.waitForTimeout(400)
        await page.screenshot({
          path: join(folder, `${name}-${view.width}-${view.colorScheme}.png`),
        })
        await page.close()
      }
  }
}

async function take(page: Page, path: string, file: string): Promise<void> {
  await page.goto(assay.url + path)
  await page.locator('h1').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  await page.waitForTimeout(400) // charts and editors are drawn after their data
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  await page.screenshot({ path: file, fullPage: height < 2_500 })
}

/** Fills the product with what a team would have. @returns the pages by name */
async function prepared(): Promise<Record<string, string>> {
  const runs: string[] = []
  for (let i = 0; i < 4; i++) runs.push(await execute(assay, 'tax-table'))
  const loan = await execute(assay, 'loan-schedule')
  const rows = await execute(assay, 'currency-exchange')
  const error = await execute(assay, 'shipping-quote')
  const suite = await execute(assay, 'finance')
  const first = await http()
  const severities = ['CRITICAL', 'ERROR', 'WARN', 'INFO']
  await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      Array.from({ length: 60 }, (_none, i) => ({
        title: ['Disk almost full', 'Fan stopped', 'Payment refused', 'Certificate expires'][i % 4],
        severity: severities[i % 4],
        status: 'OPEN',
        message: ['db1 has 2 % left', 'rack 4, fan 2', 'card declined', 'in 14 days'][i % 4],
        tags: ['operations', `zone-${i % 3}`],
        source: { type: 'host', name: `db${i % 3}` },
        fingerprintFields: ['@title', '@source.name'],
      })),
    ),
  })
  const { events } = await ask<{ events: { nodes: { id: string }[] } }>(
    assay,
    '{ events(first: 1, query: "title:\\"Disk almost full\\"") { nodes { id } } }',
  )
  return {
    overview: '/',
    executions: '/executions',
    execution: `/executions/${runs[3]}`,
    'execution-suite': `/executions/${suite}`,
    'execution-rows': `/executions/${rows}`,
    'execution-error': `/executions/${error}`,
    'execution-http': `/executions/${first}`,
    'execution-log': `/executions/${loan}?tab=log`,
    'execution-coverage': `/executions/${runs[3]}?tab=coverage`,
    'execution-reports': `/executions/${runs[3]}?tab=reports`,
    'execution-events': `/executions/${runs[3]}?tab=events`,
    'execution-callbacks': `/executions/${runs[3]}?tab=callbacks`,
    compare: `/executions/compare?a=${runs[2]}&b=${runs[3]}`,
    events: '/events',
    event: `/events/${events.nodes[0]?.id}`,
    trends: '/trends',
    trend: '/trends?context=tax-table',
    scenarios: '/repository/scenarios',
    scenario: '/repository/scenarios/tax-table',
    'scenario-editor': '/repository/scenarios/tax-table/edit',
    'scenario-new': '/repository/scenarios/+new',
    suites: '/repository/suites',
    suite: '/repository/suites/finance',
    components: '/repository/components',
    component: '/repository/components/tax-table',
    environments: '/repository/environments',
    environment: '/repository/environments/local',
    callbacks: '/callbacks',
    administration: '/administration',
    about: '/configuration/about',
  }
}

/** A scenario whose request is answered otherwise than it expects. */
async function http(): Promise<string> {
  await ask(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        id: 'gateway-health',
        name: 'The gateway says that it is well',
        allowExecuteWithoutCredentials: true,
        useCodeCoverage: false,
        environment: 'local',
        scenario: {
          steps: [
            {
              id: 'health',
              http: { url: '/healthz' },
              expect: [
                { name: 'it is well', path: '$.body.status', assert: 'equals', value: 'fine' },
              ],
            },
          ],
        },
      },
    },
  )
  return execute(assay, 'gateway-health')
}
