import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { type Answer, startCollector } from '../../support/collector.ts'
import { eventually } from '../../support/eventually.ts'
import { boxOf, useBrowser } from '../../support/system/browser.ts'
import { choose, jump } from '../../support/web/acts.ts'
import { ask, execute } from '../../support/web/ask.ts'

/** Tasks of people, with the keyboard alone. */
const open = useBrowser()
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
})
afterAll(() => assay.stop())

const press = async (page: Page, ...keys: string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

/** Element with the focus, inside an editor too. */
const FOCUSED = `(() => {
  const outer = document.activeElement
  const element = outer?.shadowRoot?.activeElement ?? outer
  return (element?.getAttribute('aria-label') ?? '') + ' ' + (element?.textContent ?? '')
})()`

/** Moves on with Tab until something has the focus. */
async function tabTo(page: Page, name: string, key = 'Tab'): Promise<void> {
  for (const until = performance.now() + 60_000; performance.now() < until; ) {
    await page.keyboard.press(key)
    const text = String(await page.evaluate(FOCUSED))
    if (text.includes(name)) return
  }
  throw new Error(`Tab does not reach ${name}`)
}

test('a newcomer runs the examples, finds out why one fails, mends the component and sees it pass', async () => {
  const page = await open(`${assay.url}/`)
  await page.getByText('Nothing was executed yet').waitFor()
  await tabTo(page, 'Run Everything about money')
  await press(page, 'Enter')

  await page.getByRole('heading', { level: 1, name: 'Everything about money' }).waitFor()
  await page.getByText('1 of 2 scenarios failed').first().waitFor()
  await page.getByText('Expected that $.marginalRate equals 0.45, but it is 0.42').first().waitFor()
  await eventually(async () =>
    expect(await page.locator('.versus figure pre').allInnerTexts()).toEqual(['0.45', '0.42']),
  )

  await jump(page, 'c', 'Components')
  await page.getByRole('link', { name: 'Tax table' }).waitFor()
  await press(page, '/')
  await page.keyboard.type('Tax')
  await press(page, 'Enter')
  await page.waitForURL(/name=Tax/)
  await page.getByRole('link', { name: 'Loan schedule' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Tax table' }).waitFor()
  await press(page, 'Escape', 'j')
  await page.locator('.cover:focus').waitFor()
  await press(page, 'Enter')
  await page.getByRole('textbox', { name: 'Source of Tax table' }).waitFor()
  await tabTo(page, '150_000')
  // To the line of the rate, whose 0.42 becomes 0.45.
  await press(page, 'Control+Home', ...Array.from({ length: 10 }, () => 'ArrowDown'), 'End')
  await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Backspace')
  await page.keyboard.type('5')
  await tabTo(page, 'Save', 'Shift+Tab')
  await press(page, 'Enter')
  await page.getByText('The component was saved').first().waitFor()
  await page.getByRole('button', { name: 'Show changes' }).first().click()
  await page.locator('.changes .added', { hasText: '0.45' }).waitFor()
  await page.getByRole('button', { name: 'Run' }).focus()
  await press(page, 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Income tax' }).waitFor()
  await page.locator('.badge', { hasText: 'Passed' }).first().waitFor()
})

test('a newcomer breaks an example, sees which step failed and why, and takes the earlier source back', async () => {
  const page = await open(`${assay.url}/repository/components/loan-schedule`)
  const source = page.getByRole('textbox', { name: 'Source of Loan schedule' })
  await source.click()
  await press(page, 'Control+End')
  await page.keyboard.type('throw new Error("out of money")')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The component was saved').first().waitFor()
  await page.getByRole('button', { name: 'Run' }).click()

  await page.getByRole('heading', { level: 1, name: 'A loan over 12 months' }).waitFor()
  await page.locator('.head .badge', { hasText: 'Error' }).waitFor()
  await page.getByText('out of money').first().waitFor()
  await page.getByRole('link', { name: 'Open the component' }).click()
  await page.getByRole('link', { name: 'Restore' }).first().click()
  const revision = async () => {
    const { component } = await ask<{ component: { revision: number } }>(
      assay,
      '{ component(id: "loan-schedule") { revision } }',
    )
    return component.revision
  }
  const broken = await revision()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  // The message of the first save may still be there.
  await eventually(async () => expect(await revision()).toBe(broken + 1))
  await page.getByText('The component was saved').first().waitFor()
  await page.getByRole('button', { name: 'Run' }).click()
  await page.locator('.head .badge', { hasText: 'Passed' }).waitFor()
})

test('host credentials are asked for where a step uses them, may be empty, and are corrected where it failed', async () => {
  const collector = await startCollector()
  const right = `Basic ${btoa('right:any')}`
  const rightOnly: Answer = (response, _nth, { headers }) =>
    void response.writeHead(headers.authorization === right ? 200 : 401).end()
  const inside = { kind: 'testcase', id: 'asks-host', environment: 'host' }
  await ask(
    assay,
    'mutation Apply($input: ApplyArtifactsInput!) { applyArtifacts(input: $input) { dryRun } }',
    {
      input: {
        set: 'host',
        artifacts: [
          { kind: 'environment', id: 'host', baseUrl: collector.url },
          { ...inside, scenario: { steps: [{ id: 'ask', http: { url: '/' } }] } },
          {
            ...{ kind: 'testcase', id: 'asks-inside', environment: 'host' },
            scenario: { steps: [{ id: 'inside', scenario: { id: 'asks-host' } }] },
          },
          { kind: 'suite', id: 'asking', testCases: ['asks-inside'] },
        ],
      },
    },
  )
  const page = await open(`${assay.url}/repository/suites/asking`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const enter = async (user: string, password: string) => {
    await page.getByLabel('User').fill(user)
    await page.getByLabel('Password').fill(password)
    await press(page, 'Enter')
  }
  const badge = (text: string) => page.locator('.head .badge', { hasText: text }).waitFor()
  await button('Run').click()
  await page.getByText('Leave both empty where the host asks for none').waitFor()
  await enter('', '')
  await badge('Passed')
  expect(collector.requests.at(-1)?.headers.authorization).toBeUndefined()

  collector.answer(rightOnly)
  await button('Run again').click()
  await badge('Failed')
  await button('Other credentials').click()
  await enter('right', 'any')
  await badge('Passed')
  expect(collector.requests.at(-1)?.headers.authorization).toBe(right)
  await collector.stop()
})

test('a failed request shows what was sent and answered, the log of its step, and what changed', async () => {
  const server = createServer((_request, response) => response.end('fine')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on a port
  await ask(
    assay,
    'mutation Create($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
    { input: { id: 'near', name: 'Near', allowedHosts: [`127.0.0.1:${port}`] } },
  )
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        name: 'The server is well',
        environment: 'near',
        allowExecuteWithoutCredentials: true,
        useCodeCoverage: false,
        quarantine: true,
        scenario: {
          steps: [
            { id: 'pause', wait: { ms: 1 } },
            {
              id: 'health',
              http: { url: `http://127.0.0.1:${port}/healthz` },
              expect: [{ name: 'status', path: '$.status', assert: 'equals', value: 418 }],
            },
          ],
        },
      },
    },
  )
  const id = await execute(assay, createTestCase.id)
  server.close()
  const page = await open(`${assay.url}/executions/${id}`)
  await page.getByRole('region', { name: 'Request' }).getByText('/healthz').waitFor()
  await page.getByRole('region', { name: 'Response' }).getByText('200').waitFor()

  await page.goto(`${assay.url}/executions/${id}?tab=log&lines=step&step=pause`)
  await eventually(async () => {
    const lines = await page.locator('.log .text').allInnerTexts()
    expect(lines.join()).toContain('Step pause COMPLETED')
    expect(lines.join()).not.toContain('health')
  })

  await page.goto(`${assay.url}/repository/scenarios/${createTestCase.id}/edit`)
  await page.getByLabel('Description').fill('Changed')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The scenario was saved').first().waitFor()
  const { testCase } = await ask<{ testCase: { quarantine: boolean } }>(
    assay,
    'query Read($id: ID!) { testCase(id: $id) { quarantine } }',
    createTestCase,
  )
  expect(testCase.quarantine).toBe(true)
})

test('keys jump, move over rows, open and explain themselves', async () => {
  await execute(assay, 'loan-schedule')
  const page = await open(`${assay.url}/`)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await press(page, '?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await press(page, 'Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await jump(page, 'e', 'Executions')
  await page.getByRole('link', { name: 'A loan over 12 months' }).first().waitFor()
  await press(page, 'j')
  await page.locator('.cover:focus').waitFor()
  await press(page, 'Enter')
  await page.waitForURL(/\/executions\/[0-9a-f-]{36}/)
  await page.getByRole('treeitem').first().waitFor()
})

test('a filtered list is saved as a view, opened from the menu, and the client starts with it', async () => {
  const page = await open(`${assay.url}/executions?state=FAILED`)
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('What failed')
  await page.getByLabel('Start with it').check()
  await press(page, 'Enter')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.goto(`${assay.url}/trends`)
  await page.getByRole('link', { name: 'What failed' }).click()
  await page.waitForURL(/\/executions\?state=.*FAILED/)
  await page.goto(`${assay.url}/`)
  await page.waitForURL(/\/executions\?state=.*FAILED/)
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  await page.getByRole('link', { name: 'Saved views' }).click()
  const start = page.getByLabel('Start with What failed')
  await start.click()
  await eventually(async () => expect(await start.isChecked()).toBe(false))
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No view is saved').waitFor()
})

test('Ctrl-K finds a page, an artifact by its name or id, an execution and an event', async () => {
  const id = await execute(assay, 'loan-schedule')
  await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ title: 'Say "found" to it', status: 'OPEN' }]),
  })
  const page = await open(`${assay.url}/`)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).focus()
  const found = page.getByRole('dialog', { name: 'Find' })
  const find = async (text: string, option: RegExp) => {
    await press(page, 'Control+k')
    await found.getByRole('combobox').fill(text)
    await found.getByRole('option', { name: option }).first().waitFor()
  }
  // A key that comes before the dialog is gone would be lost with it.
  const leave = async () => {
    await press(page, 'Escape')
    await found.waitFor({ state: 'detached' })
  }
  await find('loan', /Execution/)
  await found.getByRole('option', { name: /A loan over 12 months.*Scenario/ }).waitFor()
  await found.getByRole('option', { name: /Loan schedule.*Component/ }).waitFor()
  // The dialog keeps the focus, and gives it back.
  for (const key of ['Tab', 'Tab', 'Shift+Tab', 'Control+k']) await press(page, key)
  expect(await page.getByRole('dialog').count()).toBe(1)
  expect(await page.locator('main :focus').count()).toBe(0)
  await leave()
  await page.locator('main h1:focus').waitFor()
  await find('"found"', /Event$/)
  await leave()
  await find('tax-table', /Tax table.*Component/)
  await leave()
  await find('enviro', /Environments.*Page/)
  await press(page, 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Environments' }).waitFor()
  await find(id, /A loan over 12 months.*Execution/)
  await press(page, 'Enter')
  await page.waitForURL(new RegExp(`/executions/${id}`))
})

test('lists sort by their columns and filter by tag and component, all in the address', async () => {
  await execute(assay, 'shipping-quote')
  await execute(assay, 'loan-schedule')
  const page = await open(`${assay.url}/repository/components`)
  const names = () => page.locator('.rows .cover').allInnerTexts()
  const sort = (name: string) => page.getByRole('columnheader', { name }).getByRole('button')
  await page.getByRole('link', { name: 'Tax table' }).waitFor()
  const ascending = await names()
  expect(ascending).toEqual(ascending.toSorted())
  await sort('Name').click()
  await page.waitForURL(/sort=-name/)
  await page.locator('[aria-sort=descending]').waitFor()
  await eventually(async () => expect(await names()).toEqual(ascending.toReversed()))

  await page.goto(`${assay.url}/repository/scenarios?component=tax-table`)
  await page.getByRole('link', { name: 'Income tax' }).waitFor()
  await page.getByRole('link', { name: 'A loan over 12 months' }).waitFor({ state: 'detached' })
  await page.getByLabel('Tag').fill('no such tag')
  await press(page, 'Enter')
  await page.getByText('Nothing matches').waitFor()
  expect(page.url()).toMatch(/component=tax-table/)

  await page.goto(`${assay.url}/executions?sort=name`)
  await page.locator('[aria-sort=ascending]').waitFor()
  const first = page.locator('.rows .cover').first()
  await choose(page.getByRole('checkbox', { name: 'Failed', exact: true }))
  await page.waitForURL(/state=.*sort=name|sort=name.*state=/)
  const clear = page.getByRole('button', { name: 'Clear' })
  await clear.click()
  await page.waitForURL(/executions\?sort=name$/)
  await clear.waitFor({ state: 'detached' }) // the next filter adds to what the page shows
  await page
    .getByRole('combobox', { name: 'Component', exact: true })
    .selectOption('shipping-quote')
  await page.waitForURL(/component=shipping-quote/)
  await eventually(async () => {
    expect(new Set(await names())).toEqual(new Set([await first.textContent()]))
    expect(await first.textContent()).not.toMatch(/^A loan/)
  })
  await page.getByLabel('Tag').fill('no such tag')
  await press(page, 'Enter')
  await page.waitForURL(/tag=no/)
  await page.getByText('No execution matches').waitFor()
  await clear.click()
  await eventually(async () => expect(await first.textContent()).toMatch(/^A loan/))
  await sort('Started').click()
  await eventually(async () => expect(page.url()).not.toContain('sort'))
  await page.locator('[aria-sort=descending]').waitFor()
})

test('events sort by their columns, in the address, beside a filter', async () => {
  const severities = ['WARN', 'CRITICAL', 'INFO']
  await sendEvents(severities.map((severity) => ({ title: `Sorted ${severity}`, severity })))
  const page = await open(`${assay.url}/events?q=title%3ASorted*`)
  const names = () => page.locator('.rows .cover').allInnerTexts()
  const shows = (words: readonly string[]) =>
    eventually(async () => expect(await names()).toEqual(words.map((word) => `Sorted ${word}`)))
  await page.getByRole('link', { name: 'Sorted INFO' }).waitFor()
  await page.locator('[aria-sort=descending]', { hasText: 'First' }).waitFor()
  const sort = page.getByRole('columnheader', { name: 'Severity' }).getByRole('button')
  await sort.click()
  await page.waitForURL(/sort=-severity/)
  await shows(['CRITICAL', 'WARN', 'INFO'])
  await sort.focus()
  await press(page, 'Enter')
  await page.waitForURL(/sort=severity/)
  await shows(['INFO', 'WARN', 'CRITICAL'])
  await page.getByRole('checkbox', { name: 'Critical', exact: true }).check()
  await shows(['CRITICAL'])
  expect(page.url()).toContain('sort=severity')
})

test('trends keep to a range of time and a label, both in the address', async () => {
  await execute(assay, 'tax-table')
  const page = await open(`${assay.url}/trends?context=tax-table`)
  const row = page.getByRole('table', { name: 'Executions' }).locator('.cover').first()
  await row.waitFor()
  const named = page.getByLabel('Scenario or suite')
  const holds = (name: string) =>
    eventually(async () => expect(await named.inputValue()).toBe(name))
  await holds("Income tax follows this year's table")
  await named.fill('A loan over 12 months is repaid to the cent')
  await page.waitForURL(/context=loan-schedule/)
  await holds('A loan over 12 months is repaid to the cent')
  await named.fill('')
  await page.waitForURL((url) => !url.searchParams.has('context'))
  await page.goto(`${assay.url}/trends?context=tax-table`)
  await row.waitFor()
  await page.getByLabel('Time').selectOption('Last 1 h')
  await page.waitForURL(/last=1h/)
  await row.waitFor()
  await page.getByLabel('Label').fill('branch=none')
  await press(page, 'Enter')
  await page.waitForURL(/context=tax-table.*label=branch/)
  await page.getByText('No execution matches').waitFor()
  await page.goto(`${assay.url}/trends?from=2020-01-01&to=2020-02-01`)
  await page.getByText('Nothing is flaky').waitFor()
})

test('a click with Shift selects the events from the last one', async () => {
  const titles = ['Row one', 'Row two', 'Row three', 'Row four']
  await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(titles.map((title) => ({ title, status: 'OPEN' }))),
  })
  const page = await open(`${assay.url}/events?q=title%3ARow*`)
  const boxes = page.getByRole('checkbox', { name: /^Select Row/ })
  await boxes.nth(3).waitFor()
  await boxes.nth(2).click()
  await boxes.nth(0).click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  expect(await boxes.nth(3).isChecked()).toBe(false)
  await boxes.nth(1).click({ modifiers: ['Shift'] })
  await page.getByText('1 selected').waitFor()
})

test('several events are chosen and closed with the keyboard, and the histogram counts what arrives', async () => {
  const page = await open(`${assay.url}/events?q=title%3ALeak*`)
  await page.getByText('No event matches').waitFor()
  const events = ['Leak one', 'Leak two'].map((title) => ({ title, status: 'OPEN' }))
  await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })
  for (const { title } of events) await page.getByRole('link', { name: title }).waitFor()
  await page.getByRole('img', { name: /^Occurrences: 2 / }).waitFor()
  await press(page, 'j', 'x', 'j', 'x')
  await page.getByText('2 selected').waitFor()
  await page.getByLabel('Comment').fill('Mended')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('2 events closed').first().waitFor()
  await page.getByRole('cell', { name: 'Closed' }).nth(1).waitFor()
  await page.getByLabel('Select all that are shown').check()
  await page.getByText('2 selected').waitFor()

  await page.getByLabel('Query').fill('sever')
  await page.locator('#query-parts option[value="severity:"]').waitFor({ state: 'attached' })
  await page.getByLabel('Query').fill('severity:')
  await page
    .locator('#query-parts option[value^="severity:"]')
    .nth(0)
    .waitFor({ state: 'attached' })
})

test('a range that is dragged over the histogram holds for the list, and stands in the address', async () => {
  await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([{ title: 'Dragged', status: 'OPEN' }]),
  })
  const page = await open(`${assay.url}/events?q=title%3ADragged`)
  const event = page.getByRole('link', { name: 'Dragged' })
  const columns = page.getByRole('img', { name: /^Occurrences: 1 / }).locator('.column')
  const drag = async (...places: [number, number]) => {
    for (const [at, place] of places.entries()) {
      const { x, y, width, height } = await boxOf(columns.nth(place))
      await page.mouse.move(x + width / 2, y + height / 2, { steps: 5 })
      await (at === 0 ? page.mouse.down() : page.mouse.up())
    }
  }
  const inAddress = () => Object.fromEntries(new URL(page.url()).searchParams)
  await event.waitFor()
  await columns.last().waitFor()

  await drag(2, 0)
  await page.getByText('No event matches').waitFor()
  await page.getByRole('img', { name: /^Occurrences: 0 from .+ to (?!now)/ }).waitFor()
  const { from, to } = inAddress()
  expect(Date.parse(from ?? '')).toBeLessThan(Date.parse(to ?? ''))
  expect(Date.parse(to ?? '')).toBeLessThan(Date.now())

  await page.goBack()
  await event.waitFor()
  await columns.last().waitFor()
  const last = (await columns.count()) - 1
  await drag(last - 1, last)
  await page.waitForURL(/from=/)
  await event.waitFor()
  expect(inAddress()).not.toHaveProperty('to')
})

test('the range of the page of events holds for its list, count, histogram and what is selected', async () => {
  const hours = (ago: number) => new Date(Date.now() - ago * 3_600_000).toISOString()
  const events = (count: number, ago: number, severity: string) =>
    Array.from({ length: count }, (_none, i) => ({
      ...{ title: `Tide ${severity} ${ago} ${i}`, status: 'OPEN', severity },
      createdAt: hours(ago),
    }))
  await sendEvents([
    ...events(70, 0, 'CRITICAL'),
    ...events(50, 0, 'WARN'),
    ...events(30, 5, 'ERROR'),
  ])
  const page = await open(`${assay.url}/events?q=title%3ATide*`)
  const count = (text: string) => page.locator('.head .number', { hasText: text }).waitFor()
  await count('150')
  await page.getByLabel('Time').selectOption('Last 1 h')
  await page.waitForURL(/last=1h/)
  await count('120')
  await page.getByRole('img', { name: /^Occurrences: 120 from / }).waitFor()
  await page.locator('.chart .column .part.critical').first().waitFor()
  await page.locator('.chart .column .part.warn').first().waitFor()
  expect(await page.locator('.chart .column .part.bad').count()).toBe(0)
  await page.getByLabel('Select all that are shown').check()
  await page.getByRole('button', { name: 'Select all 120 that match' }).click()
  await page.getByText('120 selected').first().waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('120 events closed').first().waitFor()
  const { events: left } = await ask<{ events: { totalCount: number } }>(
    assay,
    '{ events(first: 1, query: "title:Tide* AND status:OPEN") { totalCount } }',
  )
  expect(left.totalCount).toBe(30)
})

/** A scenario that runs until it is cancelled, as it runs. */
async function startSlow(name: string): Promise<string> {
  const scenario = { steps: [{ id: 'doze', wait: { ms: 600_000 } }] }
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    { input: { name, allowExecuteWithoutCredentials: true, scenario } },
  )
  return execute(assay, createTestCase.id, false)
}

const cancel = (id: string) =>
  ask(
    assay,
    'mutation Cancel($input: CancelExecutionInput!) { cancelExecution(input: $input) { id } }',
    { input: { id } },
  )

/** Waits until executions with a text in their names take all slots of workers: the queue moves no more by itself. */
const allSlotsTaken = (text: string) =>
  eventually(async () => {
    const { server, executionResults } = await ask<{
      server: { workers: { slots: number }[] }
      executionResults: { nodes: { progress: { queuePosition: number | null } }[] }
    }>(
      assay,
      `query Queue($filter: ExecutionResultFilter) {
        server { workers { slots } }
        executionResults(first: 100, filter: $filter) { nodes { progress { queuePosition } } } }`,
      { filter: { text, states: ['RUNNING'] } },
    )
    const running = executionResults.nodes.filter((each) => each.progress.queuePosition === null)
    const slots = server.workers.reduce((sum, each) => sum + each.slots, 0)
    expect(running).toHaveLength(slots)
  })

test('a cancelled execution looks like one, and not like an error', async () => {
  const id = await startSlow('Given up')
  const page = await open(`${assay.url}/executions/${id}`)
  const list = await open(`${assay.url}/executions?text=Given`)
  await page.getByRole('treeitem', { name: /Running.*doze/ }).waitFor()
  await list.locator('.rows .badge', { hasText: 'Running' }).first().waitFor()
  await cancel(id)
  await page.locator('.head .badge', { hasText: 'Cancelled' }).waitFor()
  await page.getByRole('treeitem', { name: /Cancelled.*doze/ }).waitFor()
  await list.locator('.rows .badge', { hasText: 'Cancelled' }).first().waitFor()
  expect(await page.locator('.warn, .bad').count()).toBe(0)
})

test('a running execution counts its seconds, says how far it is, follows the running step, and its calls are shown', async () => {
  const input = (ms: number) => ({
    ...{ id: 'followed', name: 'Followed', componentUnderTest: 'twice' },
    allowExecuteWithoutCredentials: true,
    scenario: {
      steps: [
        { id: 'said', call: { function: 'twice', args: [21] } },
        {
          ...{ id: 'doze', wait: { ms: 1 }, retries: { count: ms > 1 ? 1 : 0, delayMs: ms } },
          ...(ms > 1 && { negative: true }),
        },
      ],
    },
  })
  const sourceCode = `export function twice(n) { console.log('doubling ' + n); return 2 * n }`
  await ask(
    assay,
    `mutation ($component: CreateComponentInput!, $input: CreateTestCaseInput!) {
      createComponent(input: $component) { id } createTestCase(input: $input) { id } }`,
    { component: { id: 'twice', name: 'Doubler', sourceCode }, input: input(1) },
  )
  await execute(assay, 'followed')
  await ask(
    assay,
    'mutation ($input: UpdateTestCaseInput!) { updateTestCase(input: $input) { id } }',
    { input: input(60_000) },
  )
  const id = await execute(assay, 'followed', false)
  const page = await open(`${assay.url}/executions/${id}`)
  await page.getByRole('treeitem', { name: /Running.*doze/, selected: true }).waitFor()
  await page.getByText('1 of 2 steps').waitFor()
  await page.getByText(/^doze: FAILED. 60 s before retry 1 of 1: /).waitFor()
  const seconds = page.locator('.facts .number', { hasText: /^[1-9][\d.]* s$/ }).first()
  await seconds.waitFor()
  const before = await seconds.textContent()
  await eventually(async () => expect(await seconds.textContent()).not.toBe(before))
  await page.getByRole('link', { name: /^Doubler/ }).waitFor()

  await page.getByRole('treeitem', { name: /said/ }).click()
  const says = (name: string, text: string) =>
    page.getByRole('region', { name, exact: true }).getByText(text).waitFor()
  await says('Arguments', '21')
  await says('Result', '42')
  await says('Output', 'doubling 21')
  expect(await page.getByLabel('Follow').isChecked()).toBe(false)
  await cancel(id) // its slot is free for the next one
})

test('an execution is cancelled only after a question', async () => {
  await startSlow('Asked first')
  const page = await open(`${assay.url}/executions?text=Asked`)
  const question = page.getByRole('dialog', { name: 'Cancel the execution of Asked first?' })
  const button = page.getByRole('button', { name: 'Cancel', exact: true })
  const answer = (name: string) => question.getByRole('button', { name }).click()
  await button.click()
  await answer('Keep it running')
  await question.waitFor({ state: 'detached' })
  await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
  await button.click()
  await question.waitFor()
  await press(page, 'Escape')
  await question.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Asked first' }).click()
  await page.locator('.head .badge', { hasText: 'Running' }).waitFor()
  await button.click()
  await answer('Cancel the execution')
  await page.locator('.head .badge', { hasText: 'Cancelled' }).waitFor()
})

test('an execution that is cancelled with the button opens no event', async () => {
  await startSlow('Silent end')
  const page = await open(`${assay.url}/executions?text=Silent`)
  await page.getByRole('link', { name: 'Silent end' }).click()
  await cancelWithButton(page)
  await page.locator('.head .badge', { hasText: 'Cancelled' }).waitFor()
  await page.getByRole('tab', { name: 'Events' }).click()
  await page.getByText('A cancelled execution makes none.').waitFor()
  // Ends become events in their order: the one behind it is there.
  const scenario = { steps: [{ id: 'soon', wait: { ms: 1 } }] }
  const input = { name: 'Silent no more', allowExecuteWithoutCredentials: true, scenario }
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    { input },
  )
  await execute(assay, createTestCase.id)
  await page.goto(`${assay.url}/events?q=title%3ASilent*`)
  await page.getByRole('link', { name: 'Silent no more' }).waitFor()
  expect(await page.locator('.rows .cover').allInnerTexts()).toEqual(['Silent no more'])
})

test('an execution that waits says its place in the queue', async () => {
  const names = Array.from({ length: 20 }, (_none, i) => `In line ${i}`)
  const ids = await Promise.all(names.map(startSlow))
  await allSlotsTaken('In line')
  const last = ids.toSorted().at(-1) as string // ids sort by the time of their creation
  const page = await open(`${assay.url}/executions/${last}`)
  await page.locator('.head .badge', { hasText: 'Waiting' }).waitFor()
  await page.getByText(/^Waits for a worker: place \d+ in the queue$/).waitFor()
  const place = async () =>
    Number(/place (\d+)/.exec((await page.locator('main').textContent()) ?? '')?.[1])
  const before = await place()
  expect(before).toBeGreaterThan(1)
  const [first = '', ...others] = ids.toSorted()
  await cancel(first)
  await eventually(async () => expect(await place()).toBe(before - 1))
  for (const id of others) await cancel(id)
  await page.locator('.head .badge', { hasText: 'Cancelled' }).waitFor()
})

/** Cancels the first execution that has the button, and says yes. */
async function cancelWithButton(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Cancel', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel the execution' }).click()
}

test('what happens twice is said twice', async () => {
  await Promise.all([startSlow('Twice'), startSlow('Twice again')])
  const page = await open(`${assay.url}/executions?text=Twice`)
  const buttons = page.getByRole('button', { name: 'Cancel', exact: true })
  await buttons.nth(1).waitFor()
  await page.evaluate(LISTEN)
  for (const times of [1, 2]) {
    await cancelWithButton(page)
    await buttons.nth(2 - times).waitFor({ state: 'detached' })
    await eventually(async () =>
      expect(await page.evaluate('said')).toEqual(Array(times).fill('The execution was cancelled')),
    )
  }
  const rows = page.locator('.table.scrolls > .rows').getByRole('row')
  for (const [chip, count] of [
    ['Cancelled', 2],
    ['Failed', 0],
  ] as const) {
    await page.goto(`${assay.url}/executions?text=Twice`)
    await rows.nth(1).waitFor()
    await choose(page.getByRole('checkbox', { name: chip, exact: true }))
    await page.waitForURL(/state/)
    await eventually(async () => expect(await rows.count()).toBe(count))
  }
})

/** Keeps what the live region says from now on. */
const LISTEN = `{
  const region = document.querySelector('[aria-live]')
  self.said = []
  new MutationObserver(() => said.push(region.textContent))
    .observe(region, { childList: true, characterData: true, subtree: true })
}`

const sendEvents = (events: object[]) =>
  fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(events),
  })

test('events leave a list of open ones as they are closed, by its reader or by another', async () => {
  await sendEvents(
    ['Gate one', 'Gate two', 'Gate three'].map((title) => ({ title, status: 'OPEN' })),
  )
  const page = await open(`${assay.url}/events?q=title%3AGate*%20AND%20status%3AOPEN`)
  const row = (name: string) => page.getByRole('link', { name })
  await row('Gate two').waitFor()
  await sendEvents([{ title: 'Gate two', status: 'CLOSED' }])
  await row('Gate two').waitFor({ state: 'detached' })
  await page.getByLabel('Select Gate one').check()
  await page.getByRole('button', { name: 'Close' }).click()
  await row('Gate one').waitFor({ state: 'detached' })
  await row('Gate three').waitFor()
  await page.locator('.head .number', { hasText: /^1$/ }).waitFor()
})

test('all events that match are chosen beyond the loaded rows; those that an error leaves stay chosen', async () => {
  const titles = Array.from({ length: 1_200 }, (_none, i) => `Pump ${i}`)
  await sendEvents(titles.map((title) => ({ title, status: 'OPEN' })))
  const page = await open(`${assay.url}/events?q=title%3APump*`)
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  await page.getByRole('link', { name: 'Pump' }).first().waitFor()
  await page.getByLabel('Select all that are shown').focus()
  await press(page, 'Space')
  await page.getByText('All 100 loaded are selected').waitFor()
  const chooseAll = async () => {
    await button(/^Select all (about )?[\d,]+ that match$/).focus()
    await press(page, 'Enter')
  }
  await page.route('**/graphql', (route) => {
    if (!route.request().postData()?.includes('query EventIds')) return route.continue()
    const nodes = titles.map((nodeId) => ({ __typename: 'Event', nodeId }))
    const pageInfo = { __typename: 'PageInfo', endCursor: 'on', hasNextPage: true }
    return route.fulfill({ json: { data: { events: { nodes, pageInfo } } } })
  })
  await chooseAll()
  await page.locator('.toasts', { hasText: 'More than 10,000 events match. Narrow the' }).waitFor()
  await page.unroute('**/graphql')
  await chooseAll()
  await page.getByText('1,200 selected').first().waitFor()

  let calls = 0
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('mutation SetEventStatuses') || ++calls === 1)
      return route.continue()
    await page.locator('.row.notice', { hasText: '1,000 of 1,200 closed' }).waitFor()
    await route.fulfill({ json: { errors: [{ message: 'Out of order' }] } })
  })
  await button('Close').click()
  await page
    .locator('.toasts', {
      hasText: '1,000 events closed, the others are still selected. Out of order',
    })
    .waitFor()
  await page.getByText('200 selected').waitFor()
  await page.unroute('**/graphql')
  await button('Close').click()
  await page.getByText('200 events closed').first().waitFor()
  const left = await ask<{ events: { nodes: object[] } }>(
    assay,
    '{ events(query: "title:Pump* AND NOT status:CLOSED") { nodes { id } } }',
  )
  expect(left.events.nodes).toEqual([])
})

test('events that were closed get their former statuses back, unless another has changed them since', async () => {
  await sendEvents([
    { title: 'Valve one', status: 'OPEN' },
    { title: 'Valve two', status: 'ACKNOWLEDGED' },
    { title: 'Valve three', status: 'OPEN' },
  ])
  const statuses = async () => {
    const { events } = await ask<{
      events: { nodes: { id: string; title: string; status: string }[] }
    }>(assay, '{ events(query: "title:Valve*") { nodes { id title status } } }')
    return events.nodes.sort((a, b) => a.title.localeCompare(b.title))
  }
  const page = await open(`${assay.url}/events?q=title%3AValve*`)
  await page.getByRole('link', { name: 'Valve one' }).waitFor()
  await page.clock.install()
  const close = async () => {
    await page.getByLabel('Select all that are shown').check()
    await page.getByRole('button', { name: 'Close' }).click()
  }
  await close()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.focus()
  await page.clock.fastForward(30_000)
  const [, three] = await statuses()
  await ask(
    assay,
    'mutation ($id: ID!) { setEventStatus(input: { id: $id, status: ACKNOWLEDGED }) { id } }',
    { id: three?.id },
  )
  await press(page, 'Enter')
  await page.locator('.toasts', { hasText: 'Undone for 2 of 3 events; the others have' }).waitFor()
  expect((await statuses()).map(({ status }) => status)).toEqual([
    'OPEN',
    'ACKNOWLEDGED',
    'ACKNOWLEDGED',
  ])

  await close()
  await undo.waitFor()
  await press(page, 'z')
  await page.locator('.toasts', { hasText: 'Undone for 3 events' }).waitFor()
  await close()
  await undo.waitFor()
  await page.clock.fastForward(30_000)
  await undo.waitFor({ state: 'detached' })
})

test('a quick filter builds on what is typed, and narrows all of it', async () => {
  await sendEvents([
    { title: 'Belt torn', status: 'OPEN' },
    { title: 'Belt mended', status: 'CLOSED' },
  ])
  const page = await open(`${assay.url}/events`)
  await page.getByLabel('Query').fill('Belt OR Strap')
  await page.getByLabel('Open', { exact: true }).check()
  await page.getByRole('link', { name: 'Belt torn' }).waitFor()
  await page.getByRole('link', { name: 'Belt mended' }).waitFor({ state: 'detached' })
  expect(await page.getByLabel('Query').inputValue()).toBe('(Belt OR Strap) AND status:OPEN')
})

test('the page of an event shows occurrences that change its title', async () => {
  const send = (title: string) =>
    sendEvents([
      {
        title,
        source: { ref: 'db "1" \\ main' },
        properties: { volume: 'data' },
        fingerprintFields: ['volume'],
      },
    ])
  await send('Volume 93 % full')
  const { events } = await ask<{ events: { nodes: { id: string }[] } }>(
    assay,
    '{ events(first: 1, query: "title:Volume") { nodes { id } } }',
  )
  const page = await open(`${assay.url}/events/${events.nodes[0]?.id}`)
  await page.getByRole('heading', { level: 1, name: 'Volume 93 % full' }).waitFor()
  await send('Volume 95 % full')
  await page.getByRole('heading', { level: 1, name: 'Volume 95 % full' }).waitFor()
  await send('Volume 97 % full')
  await page.getByRole('heading', { level: 1, name: 'Volume 97 % full' }).waitFor()
})

test('a list of executions leaves out the scenarios of suites, until they are asked for', async () => {
  const suite = await execute(assay, 'finance')
  const page = await open(`${assay.url}/executions`)
  const rows = page.locator('.table.scrolls > .rows')
  await rows.locator(`a[href="/executions/${suite}"]`).waitFor()
  const member = rows.getByText('Scenario of Everything about money')
  expect(await member.count()).toBe(0)
  await choose(page.getByLabel('Scenarios of suites'))
  await page.waitForURL(/members=true/)
  await member.first().waitFor()
  await page.goto(`${assay.url}/executions?context=tax-table`)
  await member.first().waitFor()
})

test('what an execution is compared with can be chosen', async () => {
  const [first, second, last] = [
    await execute(assay, 'tax-table'),
    await execute(assay, 'tax-table'),
    await execute(assay, 'tax-table'),
  ]
  const page = await open(`${assay.url}/executions/compare?b=${last}`)
  const before = page.getByLabel('Compare with')
  await page.locator(`a[href="/executions/${second}"]`).waitFor()
  expect(await before.inputValue()).toBe(second)
  await page.locator(`option[value="${first}"]`).waitFor({ state: 'attached' })
  expect(await page.locator(`option[value="${last}"]`).count()).toBe(0)
  await before.selectOption(first)
  await page.locator(`a[href="/executions/${first}"]`).waitFor()
  await page.waitForURL(/a=/)
})

test('an event that arrives is found, and acknowledged with a comment', async () => {
  const begun = () => assay.logs().split('"msg":"Subscription begins"').length
  const before = begun()
  const page = await open(`${assay.url}/events`)
  await page.getByText('Live').first().waitFor()
  await eventually(async () => expect(begun()).toBeGreaterThan(before))
  await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'Fan stopped', severity: 'CRITICAL', status: 'OPEN' }),
  })
  await page.getByRole('link', { name: 'Fan stopped' }).waitFor()
  await press(page, '/')
  await page.keyboard.type('status:OPEN AND Fan')
  await press(page, 'Enter')
  await page.waitForURL(/q=status/)
  await page.getByRole('link', { name: 'Fan stopped' }).waitFor()
  await press(page, 'Escape', 'j')
  await page.locator('.cover:focus').waitFor()
  await press(page, 'Enter')
  await page.getByRole('heading', { level: 1, name: 'Fan stopped' }).waitFor()
  await tabTo(page, 'Comment')
  await page.keyboard.type('On my way')
  await tabTo(page, 'Acknowledge')
  await press(page, 'Enter')
  await page.locator('.head .badge', { hasText: 'Acknowledged' }).waitFor()
  await page.getByText('On my way').waitFor()
})
