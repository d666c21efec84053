import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { boxOf, useBrowser } from '../../support/system/browser.ts'
import { jump } from '../../support/web/acts.ts'
import { ask, execute } from '../../support/web/ask.ts'

/** Pages without a console error, a violation of the policy or a request elsewhere: `useBrowser` fails the test otherwise. */
const open = useBrowser()
let assay: Assay
let paths: Record<string, string>
let axe: string

beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const [before, after] = [await execute(assay, 'tax-table'), await execute(assay, 'tax-table')]
  const suite = await execute(assay, 'finance')
  await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([
      { title: 'Disk almost full', severity: 'WARN', status: 'OPEN', message: 'db1 has 2 % left' },
    ]),
  })
  await storeNotified()
  await storeUnattended()
  const { events } = await ask<{ events: { nodes: { id: string }[] } }>(
    assay,
    '{ events(first: 1, query: "title:\\"Disk almost full\\"") { nodes { id } } }',
  )
  const { failureCauses } = await ask<{ failureCauses: { nodes: { id: string }[] } }>(
    assay,
    '{ failureCauses(first: 1) { nodes { id } } }',
  )
  paths = {
    overview: '/',
    executions: '/executions',
    'executions of two states': '/executions?state=%5B%22FAILED%22%2C%22ERROR%22%5D',
    execution: `/executions/${after}`,
    'execution of a suite': `/executions/${suite}`,
    log: `/executions/${after}?tab=log`,
    coverage: `/executions/${after}?tab=coverage`,
    reports: `/executions/${after}?tab=reports`,
    'events of an execution': `/executions/${after}?tab=events`,
    'callbacks of an execution': `/executions/${after}?tab=callbacks`,
    causes: '/executions/causes?all=true',
    cause: `/executions/causes/${failureCauses.nodes[0]?.id}`,
    compare: `/executions/compare?a=${before}&b=${after}`,
    events: '/events',
    event: `/events/${events.nodes[0]?.id}`,
    trends: '/trends?context=tax-table',
    scenarios: '/repository/scenarios',
    scenario: '/repository/scenarios/tax-table',
    'scenario editor': '/repository/scenarios/tax-table/edit',
    'new scenario': '/repository/scenarios/+new',
    suites: '/repository/suites',
    'new suite': '/repository/suites/+new',
    'suite editor': '/repository/suites/finance/edit',
    suite: '/repository/suites/finance',
    schedules: '/repository/schedules',
    schedule: '/repository/schedules/nightly',
    'schedule editor': '/repository/schedules/nightly/edit',
    triggers: '/repository/triggers',
    trigger: '/repository/triggers/outage',
    'trigger of a webhook': '/repository/triggers/pushes',
    'trigger editor': '/repository/triggers/outage/edit',
    'editor of a webhook': '/repository/triggers/pushes/edit',
    'new trigger': '/repository/triggers/+new',
    components: '/repository/components',
    'new component': '/repository/components/+new',
    component: '/repository/components/tax-table',
    environments: '/repository/environments',
    'new environment': '/repository/environments/+new',
    'environment editor': '/repository/environments/local/edit',
    environment: '/repository/environments/local',
    channels: '/notifications/channels',
    channel: '/notifications/channels/operations',
    'channel editor': '/notifications/channels/operations/edit',
    rules: '/notifications/rules',
    rule: '/notifications/rules/critical',
    'rule editor': '/notifications/rules/critical/edit',
    silences: '/notifications/silences',
    silence: '/notifications/silences/nights',
    'silence editor': '/notifications/silences/nights/edit',
    receivers: '/notifications/receivers',
    receiver: '/notifications/receivers/backups',
    'receiver editor': '/notifications/receivers/backups/edit',
    heartbeats: '/notifications/heartbeats',
    views: '/views',
    callbacks: '/callbacks',
    administration: '/administration',
    settings: '/configuration/settings',
    about: '/configuration/about',
  }
})
afterAll(() => assay.stop())

const post = async (path: string, body: object) => {
  const headers = { 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body: JSON.stringify(body) }
  const { status } = await fetch(`${assay.url}/api/${path}`, init)
  expect(status).toBeLessThan(300)
}

/** Triggers of both kinds, beside the schedule of the examples. */
async function storeUnattended(): Promise<void> {
  const target = 'smoke'
  const scenario = { steps: [{ id: 'a', wait: { ms: 1 } }] }
  await post('testcase', {
    id: target,
    name: 'Smoke',
    scenario,
    allowExecuteWithoutCredentials: true,
  })
  await post('trigger', { id: 'outage', name: 'Outage', query: 'severity:CRITICAL', target })
  const webhook = { webhook: 'github', secret: 'a secret of the sender' }
  await post('trigger', { id: 'pushes', name: 'pushes', target, ...webhook })
}

/** A channel, a rule, a silence, a receiver and a heartbeat. */
async function storeNotified(): Promise<void> {
  const to = ['operations@example.com']
  await post('channel', { id: 'operations', name: 'Operations', kind: 'email', to })
  const rule = { id: 'critical', name: 'Critical events', channels: ['operations'] }
  await post('rule', { ...rule, query: 'severity:CRITICAL', groupBy: ['source.ref'] })
  const weekly = { days: ['SAT', 'SUN'], from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' }
  const silence = { id: 'nights', name: 'Nights', query: 'source.type:host', weekly }
  await post('silence', { ...silence, reason: 'Backups run' })
  await post('receiver', { id: 'backups', name: 'backups', title: '{{@.job}} on {{@.host}}' })
  await post('v1/heartbeats/nightly-backup?every=1d', {})
  await post('view', { name: 'Failed', address: '/executions?state=FAILED' })
  // Its copy for previews follows within a second.
  await eventually(async () => {
    expect((await fetch(`${assay.url}/api/rule/critical/preview`)).status).toBe(200)
  })
}

/** Titles of columns that reach beyond their table. */
const CUT_OFF = `[...document.querySelectorAll('.table')]
  .flatMap((table) => [...table.querySelectorAll('.titles > *')].filter((title) =>
    title.getBoundingClientRect().right > table.getBoundingClientRect().right))
  .map(({ textContent }) => textContent)
  .join()`

const VIEWS = [
  { colorScheme: 'light', width: 1440, height: 900 },
  { colorScheme: 'dark', width: 1280, height: 720 },
  { colorScheme: 'dark', width: 390, height: 844 },
] as const

async function openAs({ colorScheme, width, height }: (typeof VIEWS)[number]): Promise<Page> {
  const page = await open(`${assay.url}/`)
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height })
  return page
}

/** A slow machine shows all pages in more time than one test has. */
const PARTS = [1, 2, 3]

test.each(VIEWS.flatMap((view) => PARTS.map((part) => ({ ...view, part }))))(
  'every page is shown whole and accessible, $colorScheme and $width px wide, part $part',
  async ({ part, ...view }) => {
    const page = await openAs(view)
    const faults: Record<string, unknown> = {}
    const own = Object.entries(paths).filter((_, at) => at % PARTS.length === part - 1)
    for (const [name, path] of own) {
      await page.goto(assay.url + path)
      await loaded(page)
      const found = [
        ...(await serious(page)),
        ...(await tooWide(page)),
        ...(await shifted(page)),
        ...(await liveRegions(page)),
      ]
      if (found.length > 0) faults[name] = found
    }
    expect(faults).toEqual({})
  },
)

test.each(VIEWS)(
  'the finder is shown whole and accessible, $colorScheme and $width px wide',
  async (view) => {
    const page = await openAs(view)
    await loaded(page)
    const faults: Record<string, unknown> = {}
    await page.keyboard.press('Control+k')
    const finder = page.getByRole('dialog', { name: 'Find' })
    await finder.getByRole('combobox').fill('t')
    await finder
      .getByRole('option', { name: /Scenario/ })
      .first()
      .waitFor()
    const { x, width: room } = await boxOf(finder)
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + room).toBeLessThanOrEqual(view.width)
    faults.finder = await serious(page)
    await finder.getByRole('combobox').fill('there is no such thing')
    await page.getByText('Nothing found').waitFor()
    faults['empty finder'] = await serious(page)
    expect(faults).toEqual({ finder: [], 'empty finder': [] })
  },
)

test.each([
  ['/executions', /Passed|Failed/],
  ['/events?q=title%3ADisk*', 'Open'],
])('a phone shows the state and the time of each row of %s', async (path, state) => {
  const page = await open(`${assay.url}/`)
  await page.setViewportSize({ width: 375, height: 667 })
  await page.goto(assay.url + path)
  const row = page.locator('.rows > .virtual > .line').first()
  for (const shown of [
    row.locator('.word:visible', { hasText: state }),
    row.locator('time:visible'),
  ]) {
    const { x, width } = await boxOf(shown.last())
    expect(width).toBeGreaterThan(10)
    expect(x + width).toBeLessThan(375)
  }
  expect(await tooWide(page)).toEqual([])
})

test('names without a blank fit a page of 320 px, and names from right to left begin at the right', async () => {
  const unbroken = 'NoColumnHoldsThisName'.repeat(10)
  const rightToLeft = 'اختبار '.repeat(30)
  const scenario = (id: string, name: string) => ({
    ...{ kind: 'testcase', id, name, description: name, tags: [unbroken.slice(0, 60)] },
    ...{ componentUnderTest: 'one', allowExecuteWithoutCredentials: true },
    scenario: {
      steps: [
        { id: 'one', call: { function: 'one' }, expect: [{ assert: 'equals', value: name }] },
      ],
    },
  })
  const artifacts = [
    { kind: 'component', id: 'one', name: unbroken, sourceCode: 'export const one = () => 1' },
    ...[scenario('unbroken', unbroken), scenario('right-to-left', rightToLeft)],
  ]
  await ask(
    assay,
    'mutation Apply($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { dryRun } }',
    { input: { set: 'names', artifacts } },
  )
  const [a, b] = [await execute(assay, 'unbroken'), await execute(assay, 'right-to-left')]
  const page = await open(`${assay.url}/`)
  await page.setViewportSize({ width: 320, height: 700 })
  const faults: Record<string, unknown> = {}
  for (const path of [
    '/repository/scenarios',
    '/repository/scenarios/unbroken',
    '/executions',
    `/executions/${a}`,
    `/executions/compare?a=${a}&b=${b}`,
    '/events',
  ]) {
    await page.goto(assay.url + path)
    await loaded(page)
    const found = await tooWide(page)
    if (found.length > 0) faults[path] = found
  }
  expect(faults).toEqual({})
  for (const path of ['/repository/scenarios', '/executions', '/events']) {
    await page.goto(assay.url + path)
    await page
      .locator('.cut', { hasText: /^اختبار/ })
      .first()
      .waitFor()
    expect(await page.evaluate(DIRECTION)).toBe('rtl')
  }
})

test.each([961, 1201])('lists of a page %i px wide cut off no column', async (width) => {
  const page = await open(`${assay.url}/`)
  await page.setViewportSize({ width, height: 800 })
  const faults: Record<string, unknown> = {}
  for (const name of ['executions', 'events', 'scenarios', 'suites', 'suite']) {
    await page.goto(assay.url + paths[name])
    await loaded(page)
    const cutOff = await page.evaluate(CUT_OFF)
    if (cutOff !== '') faults[name] = cutOff
  }
  expect(faults).toEqual({})
})

test('the heading of a page that the keyboard opens has the focus, also when it has loaded', async () => {
  const page = await open(`${assay.url}/`)
  await loaded(page)
  await jump(page, 's', 'Scenarios')
  await page.getByRole('row', { name: /Income tax/ }).waitFor()
  await page.locator('h1:focus', { hasText: 'Scenarios' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Executions' }).waitFor()
  await page.locator('h1:focus').waitFor()
})

test('a page is printed whole and on white, without the menu', async () => {
  const page = await open(assay.url + paths['execution of a suite'])
  await loaded(page)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.getByRole('navigation').isVisible()).toBe(false)
  expect(await page.getByRole('button').first().isVisible()).toBe(false)
  expect(await page.locator('main').evaluate((main) => main.scrollHeight > main.clientHeight)).toBe(
    false,
  )
  const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor')
  expect(ground).toMatch(/^rgb\(2[45]/)
})

test('an address that no page has says so, and leads home', async () => {
  const page = await open(`${assay.url}/repository/nothing`)
  await page.getByText('There is no page at this address').waitFor()
  await page.getByRole('link', { name: 'To the overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
})

test('a wrong address is the page of the client for a browser, and JSON for programs', async () => {
  const get = (path: string, accept: string) => fetch(assay.url + path, { headers: { accept } })
  const ofBrowser = 'text/html,application/xhtml+xml,*/*;q=0.8'
  const [home, page] = [await get('/', ofBrowser), await get('/nope', ofBrowser)]
  expect(page.status).toBe(404)
  expect(await page.text()).toBe(await home.text())
  for (const [path, accept] of [
    ['/nope', 'application/json'],
    ['/nope', 'text/html, */*;q=0.2'], // as Java sends it by default
    ['/api/nope', ofBrowser],
  ] as const) {
    const answer = await get(path, accept)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND', path })
  }
})

test.each([
  ['/executions', 'since=abc&state=%5B%22BROKEN%22%5D&text=7'],
  ['/events', 'q=5&interval=YEAR'],
  ['/callbacks', 'state=LOST'],
])('what %s cannot read in its address is left out', async (path, search) => {
  const page = await open(`${assay.url}${path}?${search}`)
  await page.waitForURL((url) => url.search === '')
  await loaded(page)
  expect(await page.getByText('This page failed').count()).toBe(0)
})

test('tries, a flaky end, quarantine and skipped scenarios are shown, and a suite runs with a choice', async () => {
  let asked = 0
  const server = createServer(({ url }, response) => {
    const isFirst = url === '/second-time' && asked++ === 0
    response.writeHead(isFirst ? 503 : 200).end('fine')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  const scenario = (id: string, attributes: object, status: number) => ({
    ...{ kind: 'testcase', id, environment: 'shaky', allowExecuteWithoutCredentials: true },
    ...attributes,
    scenario: {
      steps: [
        {
          id: 'ask',
          http: { url: `/${id}` },
          expect: [{ name: 'it answers', assert: 'status', value: status }],
        },
        {
          ...{ id: 'extra', optional: true, wait: { ms: 1 } },
          expect: [{ name: 'it is extra', assert: 'equals', value: 'never' }],
        },
      ],
    },
  })
  await ask(
    assay,
    'mutation Apply($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { dryRun } }',
    {
      input: {
        set: 'shaky',
        artifacts: [
          { kind: 'environment', id: 'shaky', baseUrl: `http://127.0.0.1:${port}` },
          scenario('second-time', { retries: 1, tags: ['smoke'] }, 200),
          scenario('known-bad', { quarantine: true }, 418),
          scenario('after-bad', { needs: ['known-bad'] }, 200),
          {
            ...{ kind: 'suite', id: 'shaky', name: 'Shaky' },
            testCases: ['second-time', 'known-bad', 'after-bad'],
          },
        ],
      },
    },
  )
  const id = await execute(assay, 'shaky')
  const page = await open(`${assay.url}/executions/${id}`)
  const skipped = page.getByRole('list', { name: 'Skipped scenarios' })
  await skipped.getByText('after-bad').waitFor()
  await page.getByRole('treeitem', { name: /known-bad.*Quarantine/ }).waitFor()
  await page.getByRole('treeitem', { name: /second-time.*Flaky/ }).click()
  await page.getByText('Try 1').click()
  await page.getByText('it answers: ').waitFor()
  const tried = page.getByRole('list', { name: 'Steps of try 1' }).getByRole('listitem')
  await tried.filter({ hasText: /^Failedask/ }).waitFor()
  await tried.filter({ hasText: /^Failed, optionalextra/ }).waitFor()

  await page.goto(`${assay.url}/repository/suites/shaky`)
  await page.getByRole('button', { name: 'Run with…' }).click()
  await page.getByLabel('Only scenarios with one of these tags').fill('smoke')
  await page.getByLabel('Labels').fill('build=42')
  await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForURL(/\/executions\//)
  await page.locator('.head .badge', { hasText: 'Passed' }).waitFor()
  await page.getByText('1 of 1').waitFor()
  await page.getByRole('link', { name: '42', exact: true }).click()
  await page.waitForURL(/\/executions\?/)
  await page.getByRole('heading', { level: 1, name: 'Executions' }).waitFor()
  await page.getByRole('link', { name: 'Shaky' }).waitFor()
  server.close()
})

test('an optional step that failed looks like one, and the failure that counts is shown first', async () => {
  const failing = (id: string, more: object) => ({
    ...{ id, wait: { ms: 1 }, expect: [{ assert: 'equals', value: 'never' }] },
    ...more,
  })
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        name: 'Half of it counts',
        allowExecuteWithoutCredentials: true,
        scenario: { steps: [failing('extra', { optional: true }), failing('needed', {})] },
      },
    },
  )
  const page = await open(`${assay.url}/executions/${await execute(assay, createTestCase.id)}`)
  await page.getByRole('treeitem', { name: /^Failed needed/, selected: true }).waitFor()
  await page.getByLabel('Only 1 failed').waitFor()
  await page.getByRole('treeitem', { name: /^Failed, optional extra/ }).click()
  await page.locator('.pane .badge', { hasText: 'Failed, optional' }).waitFor()
})

test('numbers of an event show the digits that were sent', async () => {
  await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{ "title": "Counter",
      "properties": { "serial": 12345678901234567891, "share": 0.1234567890123456789 } }`,
  })
  const { events } = await ask<{ events: { nodes: { id: string }[] } }>(
    assay,
    '{ events(first: 1, query: "title:Counter") { nodes { id } } }',
  )
  const page = await open(`${assay.url}/events/${events.nodes[0]?.id}`)
  await page.getByText('12345678901234567891').first().waitFor()
  await page.getByText('0.1234567890123456789').first().waitFor()
})

test('an event shows how often its status changed, and every change', async () => {
  const statuses = Array.from({ length: 61 }, (_, at) => (at % 2 === 0 ? 'OK' : 'OPEN'))
  for (const status of statuses)
    await fetch(`${assay.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Unsteady', status }),
    })
  const { events } = await ask<{ events: { nodes: { id: string }[] } }>(
    assay,
    '{ events(first: 1, query: "title:Unsteady") { nodes { id } } }',
  )
  const page = await open(`${assay.url}/events/${events.nodes[0]?.id}`)
  const history = page.locator('.card', { hasText: 'Status history' })
  await history.getByText('60', { exact: true }).waitFor()
  expect(await history.locator('li').count()).toBe(50)
  await history.getByRole('button', { name: 'Show more' }).click()
  await history.locator('li').nth(59).waitFor()
  expect(await history.getByRole('button').count()).toBe(0)
})

test('a component and a suite show what their last execution covered, one click from the lines', async () => {
  const page = await open(`${assay.url}/repository/suites/finance`)
  await page.getByRole('link', { name: /^Tax table \d+ %$/ }).waitFor()
  await page.goto(`${assay.url}/repository/components/tax-table`)
  await page
    .getByRole('link', { name: /^\d+ %$/ })
    .first()
    .click()
  await page.waitForURL(/tab=coverage/)
  await page.getByRole('heading', { name: 'Tax table' }).first().waitFor()
})

test('a step that left files is marked, and its files are downloaded', async () => {
  const file = { name: 'seen.txt', base64: Buffer.from('seen').toString('base64') }
  const steps = [{ name: 'look', state: 'FAILED', message: 'No', attachments: [file] }]
  const { importExecution } = await ask<{ importExecution: { id: string } }>(
    assay,
    'mutation Store($input: ImportExecutionInput!) { importExecution(input: $input) { id } }',
    { input: { name: 'Elsewhere', scenarios: [{ name: 'Pictures', state: 'FAILED', steps }] } },
  )
  const page = await open(`${assay.url}/executions/${importExecution.id}`)
  await page.getByRole('treeitem', { name: /look.*with files/ }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'seen.txt' }).click()
  expect((await download).suggestedFilename()).toBe('seen.txt')
})

/** Direction of the first text that is written from right to left. */
const DIRECTION = `getComputedStyle(
  [...document.querySelectorAll('.cut')].find((each) => each.textContent.startsWith('اختبار')),
).direction`

/** Nothing is loading any more. */
async function loaded(page: Page): Promise<void> {
  await page.locator('h1').waitFor()
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
}

interface Violation {
  id: string
  impact: string
  nodes: { html: string; failureSummary: string }[]
}

/** Findings of axe with an impact above minor: the rule, and where. */
async function serious(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const violations: Violation[] = await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}

/** Elements that moved while the page loaded. */
async function shifted(page: Page): Promise<string[]> {
  const sum = Number(await page.evaluate(SHIFT))
  return sum > MOST_SHIFT ? [`layout shift ${sum}`] : []
}

/** Shift that Web Vitals call good. */
const MOST_SHIFT = 0.1
const SHIFT = `new Promise((done) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => done(sum), 50)
})`

/** Several live regions would talk over each other. That of an editor speaks of its text alone. */
async function liveRegions(page: Page): Promise<string[]> {
  const regions = page.locator(
    '[aria-live]:not([aria-live=off], .cm-announced), [role=status], [role=alert], [role=log], output',
  )
  const count = await regions.count()
  return count === 1 ? [] : [`${count} live regions`]
}

async function tooWide(page: Page): Promise<string[]> {
  const by = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
  return Number(by) > 0 ? [`${by} px too wide`] : []
}
