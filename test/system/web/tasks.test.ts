import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { createMigratedDatabase, type TestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { productKeys } from '../../support/product-keys.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { ask, CREDENTIALS } from '../../support/web/ask.ts'
import { copyExecution, openEvents, sendEvents } from '../../support/web/large-store.ts'

/** Twelve tasks of people, each with the clicks that it may take; typing, and choosing from a field, are none. */
const open = useBrowser()
let database: TestDatabase
let assay: Assay
let shop: Server
let status = 200
/** Ids of executions. */
const ids = { good: '', failed: '' }

/** Others beside those of the tasks, in the week before them. */
const EXECUTIONS = 10_000
const SCENARIOS = 500
const WEEK_MS = 7 * 24 * 3_600_000
const EVENTS = 100_000

const LABELS = [{ name: 'branch', value: 'main' }]

async function execute(contextId: string, wait = true): Promise<string> {
  const input = { contextId, wait, labels: LABELS, credentials: CREDENTIALS }
  const run = 'mutation Run($input: ExecuteInput!) { execute(input: $input) { id } }'
  return (await ask<{ execute: { id: string } }>(assay, run, { input })).execute.id
}

const testCase = (id: string, name: string, steps: object[], more: object = {}) => ({
  ...{ kind: 'testcase', id, name, allowExecuteWithoutCredentials: true, scenario: { steps } },
  ...more,
})

/** The page knows how many there are from the run before. */
const fiveHundred = (ms: number) =>
  testCase(
    'long',
    'Five hundred steps',
    Array.from({ length: 500 }, (_, n) => ({ id: `step-${n}`, wait: { ms } })),
  )

beforeAll(async () => {
  shop = createServer((_, response) => response.writeHead(status).end('fine'))
  await once(shop.listen(0, '127.0.0.1'), 'listening')
  const { port } = shop.address() as AddressInfo // it listens on a port
  database = await createMigratedDatabase()
  assay = await startAssay({
    mode: 'in-process',
    env: {
      DATABASE_URL: database.url,
      ...productKeys(),
    },
  })
  const price = {
    ...{ id: 'ask', http: { url: '/price' } },
    expect: [{ name: 'it answers', assert: 'status', value: 200 }],
  }
  const artifacts = [
    { kind: 'environment', id: 'shop', name: 'Shop', baseUrl: `http://127.0.0.1:${port}` },
    testCase('price', 'The price', [price], { environment: 'shop' }),
    { kind: 'suite', id: 'nightly', name: 'Nightly', testCases: ['price'] },
  ]
  const apply =
    'mutation Apply($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { dryRun } }'
  await ask(assay, apply, { input: { set: 'tasks', artifacts: [...artifacts, fiveHundred(1)] } })
  await execute('long')
  await execute('tax-table')
  const renamed = { kind: 'suite', id: 'nightly', name: 'Nightly tests', testCases: ['price'] }
  const changed = [...artifacts.slice(0, -1), renamed, fiveHundred(500)]
  await ask(assay, apply, { input: { set: 'tasks', artifacts: changed } })
  ids.good = await execute('nightly')
  status = 500
  ids.failed = await execute('nightly')
  const pumps = Array.from({ length: 50 }, (_, n) => ({ title: `Pump ${n}`, status: 'OPEN' }))
  await sendEvents(assay, [...openEvents(EVENTS), ...pumps])
  await copyExecution(database.url, {
    ...{ of: await execute('loan-schedule'), count: EXECUTIONS, apartMs: WEEK_MS / EXECUTIONS },
    columns: {
      context_id: `'scenario-' || i % ${SCENARIOS}`,
      context_name: `'Scenario ' || i % ${SCENARIOS}`,
      // One of 50 always fails, and another one each second time.
      state: `case when i % 50 = 0 or i % 50 = 1 and i / ${SCENARIOS} % 2 = 0 then 'FAILED' else 'COMPLETED' end`,
    },
  })
})
afterAll(async () => {
  await assay?.stop()
  await database?.drop()
  shop?.close()
})

const FIELDS = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'
const COUNT = `addEventListener('click', (event) => {
  if (event.isTrusted && event.detail > 0 && !event.composedPath()[0].closest(${JSON.stringify(FIELDS)}))
    sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1
}, true)`
/** Brings the store back, which is no part of a task: events of scripts are not counted. */
const UNDO = `[...document.querySelectorAll('button')].find((each) => each.textContent === 'Undo').click()`
const clicks = async (page: Page) => Number(await page.evaluate('sessionStorage.clicks ?? 0'))

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).first()
const link = (page: Page, name: string | RegExp) =>
  page.getByRole('link', { name, exact: true }).first()
const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

/** Part of the names that a test gives, as its tasks store them beside those of the others. */
let round: string
/** The way of pressing what tasks press. */
let press: (target: Locator) => Promise<void>
const PRESSES = {
  mouse: (target: Locator) => target.click(),
  /** Presses the key that its focus asks for, so a target that keys cannot reach fails. */
  keyboard: async (target: Locator) => {
    const isBox = (await target.getAttribute('type')) === 'checkbox'
    await target.page().evaluate('sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1')
    await target.press(isBox ? 'Space' : 'Enter')
  },
} as const

/** A phone shows the menu at a click. */
async function ofMenu(page: Page, entry: Locator): Promise<void> {
  const menu = button(page, 'Menu')
  await page.locator('.topbar button').waitFor({ state: 'attached' })
  if (await menu.isVisible()) await press(menu)
  await press(entry)
}

const paste = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    data.setData('text/plain', ${JSON.stringify(text)})
    const event = { clipboardData: data, bubbles: true, cancelable: true }
    document.querySelector('h1').dispatchEvent(new ClipboardEvent('paste', event))
  })()`)

interface Task {
  name: string
  most: number
  /** Path of the page where it begins. */
  at(): string
  does(page: Page): Promise<void>
}

const TASKS: readonly Task[] = [
  {
    name: 'why the suite of last night failed',
    most: 1,
    at: () => '/',
    async does(page) {
      await press(link(page, 'Nightly tests'))
      await said(page, 'Expected that $ has the HTTP status 200, but it is 500')
    },
  },
  {
    name: 'mend a component and run its scenario again',
    most: 2,
    at: () => '/repository/components/loan-schedule',
    async does(page) {
      await page.getByRole('textbox', { name: 'Source of' }).focus()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('// mended')
      await press(button(page, 'Save'))
      await said(page, 'The component was saved')
      await press(button(page, 'Run'))
      await said(page, 'Passed')
    },
  },
  {
    name: 'run again what failed',
    most: 1,
    at: () => `/executions/${ids.failed}`,
    async does(page) {
      await press(button(page, 'Run failed again'))
      await page.waitForURL((url) => !url.pathname.includes(ids.failed))
      await said(page, 'Repeats')
    },
  },
  {
    name: 'a new scenario of HTTP with an environment and a secret',
    most: 8,
    at: () => '/repository/environments',
    async does(page) {
      const name = `Bank ${round}`
      await press(link(page, 'New environment'))
      await heading(page, 'New environment')
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Base URL').fill('https://bank.example.com')
      await press(button(page, 'Add a secret'))
      await page.getByLabel('Name of').last().fill('TOKEN')
      await page.getByLabel('Value of').last().fill('of the bank')
      await press(button(page, 'Save'))
      await heading(page, name)
      await ofMenu(page, link(page, 'Scenarios'))
      await press(link(page, 'New scenario'))
      await heading(page, 'New scenario')
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByRole('combobox', { name: 'Environment' }).selectOption(name)
      await page.getByRole('textbox', { name: 'Scenario as YAML' }).focus()
      // Typed over several lines, the browser itself tries an inline style first, and says that the policy forbids it.
      for (const key of ['Control+a', 'Delete']) await page.keyboard.press(key)
      await page.keyboard.type('steps:\n- { id: ask, http: { url: /accounts } }')
      await press(button(page, 'Save'))
      await page.waitForURL(/scenarios\/[\da-f-]{36}/)
    },
  },
  {
    name: 'the same from a curl command',
    most: 3,
    at: () => '/',
    async does(page) {
      await heading(page, 'Overview')
      await paste(
        page,
        `curl -H 'X-Api-Key: s3cret' https://shop.example.com/orders-${round} -d a=1`,
      )
      await page.waitForURL(/scenarios\/\+new/)
      await press(button(page, 'Save'))
      await page.waitForURL(/scenarios\/[\da-f-]{36}/)
      await button(page, 'Run').waitFor()
    },
  },
  {
    name: 'which tests are flaky on main this week',
    most: 2,
    at: () => '/',
    async does(page) {
      await ofMenu(page, link(page, 'Trends'))
      await heading(page, 'Trends')
      await page.getByLabel('Time').selectOption('Last 7 d')
      await page.getByLabel('Label').fill('branch=main')
      await page.keyboard.press('Enter')
      await page.waitForURL(/label=branch/)
      await page.getByRole('table').getByText('Nightly tests').first().waitFor()
    },
  },
  {
    name: 'compare with the last good run',
    most: 2,
    at: () => `/executions/${ids.failed}`,
    async does(page) {
      await press(link(page, 'Compare'))
      await page.locator(`a[href="/executions/${ids.good}"]`).waitFor()
    },
  },
  {
    name: 'acknowledge 50 events of a filter',
    most: 3,
    at: () => '/events?q=title%3APump*+AND+status%3AOPEN',
    async does(page) {
      await link(page, /^Pump/).waitFor()
      await press(page.getByLabel('Select all that are shown'))
      await said(page, '50 selected')
      await press(button(page, 'Acknowledge'))
      await said(page, '50 events acknowledged')
      await page.evaluate(UNDO)
      await eventually(async () => {
        const { events } = await ask<{ events: { totalCount: number } }>(
          assay,
          '{ events(first: 1, query: "title:Pump* AND status:OPEN") { totalCount } }',
        )
        expect(events.totalCount).toBe(50)
      })
    },
  },
  {
    name: 'follow 500 steps live',
    most: 1,
    at: () => '/',
    async does(page) {
      const id = await execute('long', false)
      const running = page.locator('.card', { hasText: 'Running and waiting' })
      await press(running.getByRole('link').first())
      await said(page, /\d+ of 500/)
      const cancel =
        'mutation Cancel($input: CancelExecutionInput!) { cancelExecution(input: $input) { id } }'
      await ask(assay, cancel, { input: { id } })
      await said(page, 'Cancelled')
    },
  },
  {
    name: 'who changed this suite',
    most: 2,
    at: () => '/repository/suites/nightly',
    async does(page) {
      const revisions = page.locator('.card', { hasText: 'Revisions' })
      await revisions.getByText(/^r2/).waitFor()
      await press(revisions.getByRole('button', { name: 'Show changes' }))
      await revisions.getByText('Nightly tests').first().waitFor()
    },
  },
  {
    name: 'coverage of a component',
    most: 2,
    at: () => '/repository/components/tax-table',
    async does(page) {
      await press(link(page, /\d+ %/))
      await page.waitForURL(/tab=coverage/)
      await said(page, 'Tax table')
    },
  },
  {
    name: 'the view of each morning',
    most: 1,
    at: () => '/executions?state=FAILED',
    async does(page) {
      await heading(page, 'Executions')
      await ofMenu(page, button(page, 'Save view'))
      await page.getByRole('dialog').getByLabel('Name').fill('What failed')
      await page.getByLabel('Start with it').check()
      await page.keyboard.press('Enter')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await page.evaluate('sessionStorage.clear()') // what comes is of each morning
      await page.goto(assay.url)
      await page.waitForURL(/state=.*FAILED/)
      const { savedViews } = await ask<{ savedViews: { nodes: { id: string }[] } }>(
        assay,
        '{ savedViews { nodes { id } } }',
      )
      for (const { id } of savedViews.nodes)
        await ask(assay, 'mutation Delete($id: ID!) { deleteSavedView(id: $id) }', { id })
    },
  },
]

test.each([
  { width: 1440, height: 900, colorScheme: 'light', by: 'mouse' },
  { width: 1440, height: 900, colorScheme: 'dark', by: 'keyboard' },
  { width: 1280, height: 720, colorScheme: 'dark', by: 'keyboard' },
  { width: 1280, height: 720, colorScheme: 'light', by: 'mouse' },
  { width: 390, height: 844, colorScheme: 'light', by: 'mouse' },
  { width: 390, height: 844, colorScheme: 'dark', by: 'keyboard' },
] as const)(
  'tasks take no more clicks than they may at $width px, $colorScheme, by $by',
  async ({ colorScheme, by, ...size }) => {
    press = PRESSES[by]
    round = `${size.width}-${by}`
    const taken: Record<string, number> = {}
    for (const { name, at, does } of TASKS) {
      const page = await open(assay.url + at())
      await page.setViewportSize(size)
      await page.emulateMedia({ colorScheme })
      await page.addInitScript(COUNT)
      await page.evaluate(COUNT)
      await does(page)
      taken[name] = await clicks(page)
      await page.close()
    }
    expect(TASKS.filter(({ name, most }) => (taken[name] ?? 99) > most)).toEqual([])
  },
)
