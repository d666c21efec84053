import type { Locator, Page } from 'playwright-core'
import { readProducer } from '../../producers/truth.ts'
import { type Assay, startAssay } from '../../support/assay.ts'
import { startCollector } from '../../support/collector.ts'
import { eventually } from '../../support/eventually.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { ask } from '../../support/web/ask.ts'

/** Artifacts as people write them in pages, and what is stored then. */
const open = useBrowser()
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
})
afterAll(() => assay.stop())

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

async function addByName(page: Page, label: string, name: string): Promise<void> {
  await page.getByLabel(`${label}: name of`).fill(name)
  await page.getByRole('button', { name: `${label}: add` }).click()
}

/** Replaces the text of a code editor. */
async function write(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: label, exact: true }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

const holds = (field: Locator, value: string) =>
  eventually(async () => expect(await field.inputValue()).toBe(value))

const says = (place: Locator, text: string) =>
  eventually(async () => expect(await place.textContent()).toContain(text))

test('the first scenario of a newcomer runs green at once, saved or not', async () => {
  const page = await open(`${assay.url}/repository/scenarios/+new`)
  await page.getByRole('button', { name: 'Run without saving' }).click()
  await page.waitForURL(/\/executions\//)
  await page.locator('.head .badge', { hasText: 'Passed' }).waitFor()

  await page.goto(`${assay.url}/repository/scenarios/+new`)
  await page.getByLabel('Name', { exact: true }).fill('My first one')
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'My first one' }).waitFor()
  await page.getByText('# Steps run in this order').waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.waitForURL(/\/executions\//)
  await page.locator('.head .badge', { hasText: 'Passed' }).waitFor()
})

test('a draft is still there after its execution was looked at, and can be discarded', async () => {
  const page = await open(`${assay.url}/repository/scenarios/+new`)
  await page.getByLabel('Name', { exact: true }).fill('Half done')
  await write(page, 'Scenario as YAML', 'steps: [{ id: mine, wait: { ms: 1 } }]')
  await page.getByRole('button', { name: 'Run without saving' }).click()
  await page.locator('.head .badge', { hasText: 'Passed' }).waitFor()
  await page.getByRole('link', { name: 'Back to the draft' }).click()
  await holds(page.getByLabel('Name', { exact: true }), 'Half done')
  const text = page.getByRole('textbox', { name: 'Scenario as YAML', exact: true })
  await says(text, 'id: mine')
  await page.getByRole('button', { name: 'Discard' }).click()
  await text.getByText('Wait a moment').waitFor()
  await holds(page.getByLabel('Name', { exact: true }), '')
})

test('a suite is made, its faults stand at their fields, and an earlier revision is taken back', async () => {
  const page = await open(`${assay.url}/repository/suites`)
  await page.getByRole('link', { name: 'New suite' }).click()
  await page.getByRole('heading', { level: 1, name: 'New suite' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Everything about money')
  await page.getByLabel('Parallel scenarios').fill('1000')
  await page.getByText('it must be <= 100').waitFor()
  await page.getByLabel('Parallel scenarios').fill('3')
  await page.getByText('it must be <= 100').waitFor({ state: 'detached' })
  const scenarios = 'Scenarios, in the order to run them'
  await addByName(page, scenarios, 'A loan over 12 months is repaid to the cent')
  await addByName(page, scenarios, "Income tax follows this year's table")
  await addByName(page, 'Setup, which runs first', "Income tax follows this year's table")
  await page
    .getByRole('button', { name: "Remove Income tax follows this year's table" })
    .last()
    .click()
  await save(page)
  await page.locator('.fault', { hasText: 'already taken by another suite' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Loans and taxes')
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'Loans and taxes' }).waitFor()

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('button', { name: /^Move A loan over 12 months .* down$/ }).click()
  await save(page)
  await page.getByRole('button', { name: 'Show changes' }).first().click()
  await says(page.locator('.changes .added').first(), 'loan-schedule')
  await page.getByRole('link', { name: 'Restore' }).click()
  await save(page)
  await page.getByText('r3').waitFor()
  const { suites } = await ask<{ suites: { nodes: object[] } }>(
    assay,
    `{ suites(filter: { name: "Loans and taxes" }) {
      nodes { revision maxParallel setup { id } testCases { id } } } }`,
  )
  expect(suites.nodes).toEqual([
    {
      revision: 3,
      maxParallel: 3,
      setup: null,
      testCases: [{ id: 'loan-schedule' }, { id: 'tax-table' }],
    },
  ])
})

test('a name that another has stored meanwhile is shown where the steps are the same', async () => {
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation { createTestCase(input: { name: "Shared", scenario: "steps: [{ id: a, wait: { ms: 1 } }]" }) { id } }',
  )
  const page = await open(`${assay.url}/repository/scenarios/${createTestCase.id}/edit`)
  await page.getByLabel('Name', { exact: true }).fill('Mine')
  await ask(
    assay,
    `mutation Change($id: ID!) { updateTestCase(input: {
      id: $id, name: "Theirs", scenario: "steps: [{ id: a, wait: { ms: 1 } }]" }) { id } }`,
    createTestCase,
  )
  await save(page)
  const conflict = page.getByRole('alert', { name: 'Changed meanwhile' })
  await conflict.getByText('- name: Theirs').waitFor()
  await conflict.getByText('+ name: Mine').waitFor()
})

test('what another has stored meanwhile is shown, and the reader chooses whose it is', async () => {
  const { createSuite } = await ask<{ createSuite: { id: string } }>(
    assay,
    'mutation { createSuite(input: { name: "Shared", testCases: ["tax-table"] }) { id } }',
  )
  const other = (description: string) =>
    ask(
      assay,
      `mutation Change($id: ID!, $description: String) { updateSuite(input: {
        id: $id, name: "Shared", description: $description, testCases: ["tax-table"] }) { id } }`,
      { ...createSuite, description },
    )
  const page = await open(`${assay.url}/repository/suites/${createSuite.id}/edit`)
  await page.getByLabel('Description').fill('Mine')
  await other('Theirs')
  await save(page)
  const conflict = page.getByRole('alert', { name: 'Changed meanwhile' })
  await conflict.getByText('description: Theirs').waitFor()
  await conflict.getByRole('button', { name: 'Take what is stored' }).click()
  await holds(page.getByLabel('Description'), 'Theirs')

  await page.getByLabel('Description').fill('Mine after all')
  await other('Theirs again')
  await save(page)
  await conflict.getByRole('button', { name: 'Keep mine' }).click()
  await holds(page.getByLabel('Description'), 'Mine after all')
  await save(page)
  await page.getByText('Mine after all').first().waitFor()
  await page.getByText('r4').waitFor()
})

test('an environment is made and changed; values of secrets are written and never read', async () => {
  const page = await open(`${assay.url}/repository/environments/+new`)
  await page.getByLabel('Name', { exact: true }).fill('Staging')
  await page.getByLabel('Base URL').fill('staging.example.com')
  await page.locator('.fault', { hasText: 'begins with http:// or https://' }).waitFor()
  await page.getByLabel('Base URL').fill('https://staging.example.com')
  await page.getByRole('button', { name: 'Add a variable' }).click()
  await page.getByLabel('Name of variable 1').fill('LIMIT')
  await page.getByLabel('Type of variable LIMIT').selectOption('number')
  await page.getByLabel('Value of variable LIMIT').fill('9007199254740993')
  await page.locator('.fault', { hasText: 'choose text for 9007199254740993' }).waitFor()
  await page.getByLabel('Value of variable LIMIT').fill('12')
  await page.getByRole('button', { name: 'Add a secret' }).click()
  await page.getByLabel('Name of secret 1').fill('API_KEY')
  await page.getByLabel('Value of secret API_KEY').fill('abc')
  await save(page)
  await page.locator('.fault', { hasText: 'expected at least 4 characters' }).waitFor()
  await page.getByLabel('Value of secret API_KEY').fill('first-secret-value')
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'Staging' }).waitFor()
  await page.getByText('LIMIT = 12').waitFor()

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Value of variable LIMIT').fill('13')
  await holds(page.getByLabel('Value of secret API_KEY'), '')
  await save(page)
  await page.getByText('LIMIT = 13').waitFor()
  await page.getByRole('button', { name: 'Show changes' }).click()
  await page.locator('.changes .added', { hasText: 'LIMIT: 13' }).waitFor()
  expect(await page.content()).not.toContain('first-secret-value')
  const { environments } = await ask<{ environments: { nodes: object[] } }>(
    assay,
    '{ environments(filter: { name: "Staging" }) { nodes { variables secrets { name } } } }',
  )
  expect(environments.nodes).toEqual([{ variables: { LIMIT: 13 }, secrets: [{ name: 'API_KEY' }] }])
})

test('a component is read from a file, its syntax is checked, and a scenario of it is tried step by step', async () => {
  const page = await open(`${assay.url}/repository/components/+new`)
  await page.getByLabel('Source file').setInputFiles({
    name: 'prices.ts',
    mimeType: 'text/plain',
    buffer: Buffer.from('export const gross = (net: number) => ({ gross: net * 2 }'),
  })
  await page.locator('.editor .cm-lint-marker-error').first().waitFor()
  await write(page, 'Source', 'export const gross = (net: number) => ({ gross: net * 2 })\n')
  await page.locator('.editor .cm-lint-marker-error').first().waitFor({ state: 'detached' })
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'prices' }).waitFor()
  await holds(page.getByLabel('Language'), 'TYPESCRIPT')

  await page.goto(`${assay.url}/repository/scenarios/+new`)
  await page.getByLabel('Component under test').selectOption({ label: 'prices' })
  const steps = (expected: number) =>
    `steps: [{ id: one, call: { function: gross, args: [21] },
      expect: [{ name: twice, path: $.gross, assert: equals, value: ${expected} }] }]`
  await write(page, 'Scenario as YAML', steps(43))
  await page.getByRole('button', { name: 'Run this step' }).click()
  const judged = page.getByRole('list', { name: 'Expectations over the result' })
  await judged.getByText('Expected that $.gross equals 43, but it is 42').waitFor()
  await holds(page.getByLabel('Result that expectations look at'), '{\n  "gross": 42\n}')
  const begun = () => assay.logs().split('"msg":"Execution begins"').length - 1
  const before = begun()
  expect(before).toBeGreaterThan(0)
  await write(page, 'Scenario as YAML', steps(42))
  await judged.getByText('Passed').waitFor()
  expect(begun()).toBe(before)
})

test('a request that is tried shows its response as expectations look at it', async () => {
  const collector = await startCollector((response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"price": 21}')
  })
  await ask(
    assay,
    'mutation Create($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }',
    { input: { id: 'tried', name: 'Tried', baseUrl: collector.url } },
  )
  const page = await open(`${assay.url}/repository/scenarios/+new`)
  await page.getByRole('combobox', { name: 'Environment' }).selectOption('Tried')
  await write(page, 'Scenario as YAML', 'steps: [{ id: ask, http: { url: /price } }]')
  const result = page.getByLabel('Result that expectations look at')
  const tried = async () => {
    await page.getByRole('button', { name: 'Run this step' }).click()
    await eventually(async () => expect(await result.inputValue()).not.toBe(''))
    const text = await result.inputValue()
    expect(text).not.toContain('__typename')
    await result.fill('')
    return JSON.parse(text)
  }
  expect(await tried()).toMatchObject({ status: 200, body: { price: 21 } })
  // A step that fails has no result but its response.
  const invalid = 'steps: [{ id: ask, graphql: { url: /price, query: "{ price }" } }]'
  await write(page, 'Scenario as YAML', invalid)
  await page.getByRole('status', { name: 'Step ask' }).waitFor()
  expect(await tried()).toMatchObject({ status: 200, body: { price: 21 } })
  await collector.stop()
})

test('comments, blank lines and lists of a scenario are stored as they are typed', async () => {
  const text = `# Prices of the shop, by night

variables: { limits: [1,2,3],   pause: 1 }   # in EUR
steps:
    # A pause, at first
  - id: "one"
    wait: {ms: "{{var.pause}}"}   # short

`
  const page = await open(`${assay.url}/repository/scenarios/+new`)
  await page.getByLabel('Name', { exact: true }).fill('As typed')
  await write(page, 'Scenario as YAML', text)
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'As typed' }).waitFor()
  const stored = async () => {
    const { testCases } = await ask<{ testCases: { nodes: { scenarioText: string }[] } }>(
      assay,
      '{ testCases(filter: { name: "As typed" }) { nodes { scenarioText } } }',
    )
    return testCases.nodes[0]?.scenarioText
  }
  expect(await stored()).toBe(text)
  await page.getByRole('link', { name: 'Edit' }).click()
  const editor = page.getByRole('textbox', { name: 'Scenario as YAML', exact: true })
  await editor.waitFor()
  await page.reload()
  const shown = async () => (await editor.locator('.cm-line').allTextContents()).join('\n')
  await eventually(async () => expect(await shown()).toBe(text))

  // A second save, of the settings alone, leaves it, too.
  await page.getByLabel('Description').fill('Changed')
  await save(page)
  await page.getByText('The scenario was saved').first().waitFor()
  expect(await stored()).toBe(text)
})

test('an artifact is deleted after a question of the page, and stays where another one uses it', async () => {
  const input = { id: 'gone', name: 'Soon gone', testCases: ['tax-table'] }
  const create = 'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'
  await ask(assay, create, { input })
  const page = await open(`${assay.url}/repository/scenarios/tax-table`)
  const remove = async (name: string, answer: string) => {
    await page.getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: `Delete ${name}?` })
    await question.getByRole('button', { name: answer }).click()
    await question.waitFor({ state: 'detached' })
  }
  page.removeAllListeners('response') // the refusal is meant
  await remove("Income tax follows this year's table", 'Delete')
  await page.locator('.toasts', { hasText: /suite/i }).waitFor()
  await page.goto(`${assay.url}/repository/suites/gone`)
  await remove('Soon gone', 'Cancel')
  await page.locator('button:focus', { hasText: 'Delete' }).waitFor()
  await remove('Soon gone', 'Delete')
  await page.waitForURL(/repository\/suites$/)
  await page.getByText('Soon gone was deleted').first().waitFor()
})

test('an artifact with the id new opens, and its tags with commas survive a save', async () => {
  const page = await open(`${assay.url}/repository/scenarios/new`)
  await page.getByText('There is no such scenario').waitFor()
  await page.getByRole('link', { name: 'New scenario' }).click()
  await page.getByRole('heading', { level: 1, name: 'New scenario' }).waitFor()
  await ask(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        id: 'new',
        name: 'News',
        tags: ['a, b'],
        useCodeCoverage: false,
        scenario: { steps: [{ id: 'one', wait: { ms: 1 } }] },
      },
    },
  )
  await page.goto(`${assay.url}/repository/scenarios/new`)
  await page.getByRole('heading', { level: 1, name: 'News' }).waitFor()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Description').fill('Changed')
  await save(page)
  await page.getByText('The scenario was saved').first().waitFor()
  const { testCase } = await ask<{ testCase: object }>(
    assay,
    '{ testCase(id: "new") { description tags } }',
  )
  expect(testCase).toEqual({ description: 'Changed', tags: ['a, b'] })
})

test('an integer that a scenario would round is a fault at its place, with a way out', async () => {
  const page = await open(`${assay.url}/repository/scenarios/+new`)
  await page.getByLabel('Name', { exact: true }).fill('Large numbers')
  await write(
    page,
    'Scenario as YAML',
    'variables: { id: 9007199254740993 }\nsteps: [{ id: one, wait: { ms: 1 } }]',
  )
  const fault = page.locator('.editor .cm-lintRange-error')
  await says(fault, '9007199254740993')
  await fault.hover()
  await page.getByRole('button', { name: 'Put it in quotes' }).click()
  await fault.waitFor({ state: 'detached' })
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'Large numbers' }).waitFor()
  const { testCases } = await ask<{ testCases: { nodes: object[] } }>(
    assay,
    '{ testCases(filter: { name: "Large numbers" }) { nodes { scenario } } }',
  )
  expect(testCases.nodes).toMatchObject([{ scenario: { variables: { id: '9007199254740993' } } }])
})

test('a channel, a rule and a silence are made, tried and previewed, and a fault stands at its field', async () => {
  const page = await open(`${assay.url}/notifications/channels`)
  await page.getByRole('link', { name: 'New channel' }).click()
  await page.getByRole('heading', { level: 1, name: 'New channel' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('Operations')
  await page.getByLabel('Kind').selectOption('email')
  await page.getByLabel('Addresses').fill('operations')
  await page.locator('.fault', { hasText: 'one address of e-mail' }).waitFor()
  await page.getByLabel('Addresses').fill('ops@example.com\nnight@example.com')
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'Operations' }).waitFor()
  await page.getByText('ops@example.com, night@example.com').waitFor()
  // It cannot be sent here, and the page says what is missing.
  await eventually(async () => {
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('set SMTP_URL and SMTP_FROM').first().waitFor({ timeout: 5_000 })
  })

  await page.goto(`${assay.url}/notifications/rules/+new`)
  await page.getByLabel('Name', { exact: true }).fill('Critical events')
  await page.getByLabel('Events', { exact: true }).fill('severity:(')
  await page.locator('.fault').first().waitFor()
  await page.getByLabel('Events', { exact: true }).fill('severity:CRITICAL')
  await page.getByLabel('Grouped by').fill('source.ref, title')
  await addByName(page, 'Channels', 'Operations')
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'Critical events' }).waitFor()
  await page.getByText('What it would have sent in the last day').waitFor()
  const { rules } = await ask<{ rules: { nodes: object[] } }>(
    assay,
    '{ rules { nodes { query groupBy repeatInterval channels { name } } } }',
  )
  expect(rules.nodes).toEqual([
    {
      ...{ query: 'severity:CRITICAL', groupBy: ['source.ref', 'title'], repeatInterval: null },
      channels: [{ name: 'Operations' }],
    },
  ])

  await page.goto(`${assay.url}/notifications/silences/+new`)
  await page.getByLabel('Name', { exact: true }).fill('Weekends')
  await page.getByLabel('Events', { exact: true }).fill('source.type:host')
  await page.getByLabel('Reason').fill('Backups run')
  await page.getByLabel('Each week').check()
  await page.getByLabel('Saturday').check()
  await page.getByLabel('Time zone').fill('Europe/Berlin')
  await save(page)
  await page.getByText('Saturday 22:00 to 06:00 (Europe/Berlin)').first().waitFor()
})

test('a receiver is tried against a body while it is written, and faults stand at its mapping', async () => {
  const page = await open(`${assay.url}/notifications/receivers`)
  await page.getByRole('link', { name: 'New receiver' }).click()
  await page.getByRole('heading', { level: 1, name: 'New receiver' }).waitFor()
  await page.getByLabel('Name', { exact: true }).fill('backups')
  await page.getByLabel('Mapping').fill('title: "@.a["')
  await page.locator('.fault', { hasText: 'title' }).waitFor()
  await page.getByLabel('Mapping').fill('title: "{{@.job}} on {{@.host}}"\nseverity: "@.level"')
  await page
    .getByLabel('Body that the tool sends')
    .fill('[{"job": "a", "host": "b"}, {"level": 1}]')
  await page.getByRole('button', { name: 'Show its events' }).click()
  await page.getByText('"title": "a on b"').waitFor()
  await page.getByText('The title is missing').waitFor()
  await save(page)
  await page.getByRole('heading', { level: 1, name: 'backups' }).waitFor()
  await page.getByText('/v1/receivers/backups').waitFor()
  const { receivers } = await ask<{ receivers: { nodes: object[] } }>(
    assay,
    '{ receivers { nodes { name title severity secret } } }',
  )
  expect(receivers.nodes).toEqual([
    { name: 'backups', title: ['{{@.job}} on {{@.host}}'], severity: ['@.level'], secret: null },
  ])
})

test('an event is assigned with a ticket on its page, and found by both', async () => {
  const body = JSON.stringify({ title: 'Disk is full', status: 'OPEN' })
  const headers = { 'content-type': 'application/json' }
  const sent = await fetch(`${assay.url}/api/v1/events`, { method: 'POST', headers, body })
  const { result } = (await sent.json()) as { result: { accepted: { id: string }[] } } // as the interface says
  const page = await open(`${assay.url}/events/${result.accepted[0]?.id}`)
  await page.getByRole('button', { name: 'Assign', exact: true }).click()
  await page.getByLabel('Assigned to').fill('ann')
  await page.getByLabel('Ticket, its address or its key').fill('https://tickets.example/OPS-7')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('link', { name: 'https://tickets.example/OPS-7' }).waitFor()
  await page.getByText('Assigned to ann').waitFor()
  await page.goto(`${assay.url}/events?q=assignee:ann AND comment:"OPS-7"`)
  await page.getByRole('link', { name: 'Disk is full' }).waitFor()
})

/** Drops a file, or a text, on the page. */
const drop = (page: Page, { name, text }: { name?: string; text: string }) =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    const [name, text] = ${JSON.stringify([name ?? null, text])}
    if (name) data.items.add(new File([text], name))
    else data.setData('text/plain', text)
    document.querySelector('h1').dispatchEvent(
      new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
  })()`)

/** Reports of other formats than JUnit XML, each with a text that it has. */
const REPORTS: readonly (readonly [name: string, text: string, shown: string])[] = [
  ['cucumber-js.json', readProducer('cucumber-js').text, 'Shop › row 4'],
  ['messages.ndjson', readProducer('cucumber-js-messages').text, 'Shop › flaky'],
  ['playwright.json', readProducer('playwright').text, 'shop.spec.js › too slow'],
  [
    'former.xml',
    '<XaUnitResult resultType="FAILURE" name="x"><message>rounded down</message></XaUnitResult>',
    'rounded down',
  ],
]

test('a report that is dropped becomes an execution; curl and OpenAPI become steps of a draft', async () => {
  const page = await open(`${assay.url}/events`)
  await page.getByRole('heading', { name: 'Events' }).waitFor()
  const test = '<testcase name="pays"><failure message="too late"/></testcase>'
  await drop(page, { name: 'shop.xml', text: `<testsuite name="orders">${test}</testsuite>` })
  await page.waitForURL(/\/executions\/[\da-f-]{36}/)
  await page.getByText('too late').first().waitFor()
  for (const [name, text, shown] of REPORTS) {
    await drop(page, { name, text })
    await page.getByRole('heading', { level: 1, name: name.replace(/\..*/, '') }).waitFor()
    await page.getByText(shown).first().waitFor()
  }

  await drop(page, { text: `curl -H 'X-Api-Key: s3cret' https://shop.example.com/orders -d a=1` })
  await page.waitForURL(/scenarios\/\+new/)
  const editor = page.getByRole('textbox', { name: 'Scenario as YAML' })
  await editor.getByText('url: /orders').waitFor()
  await editor.getByText('base URL https://shop.example.com').waitFor()
  expect(await editor.textContent()).not.toContain('s3cret')

  const paths = { '/carts': { get: {} }, '/prices': { get: {} } }
  const document = { openapi: '3.1.0', info: { title: 'Shop' }, paths }
  await drop(page, { name: 'api.json', text: JSON.stringify(document) })
  await editor.getByText('url: /carts').waitFor()
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Shop')
  // The message of the command may still be there, with an Undo of its own.
  const message = page.locator('.toasts .notice', { hasText: '2 steps in a draft' })
  await message.getByRole('button', { name: 'Undo' }).click()
  await editor.getByText('url: /orders').waitFor()

  await drop(page, { name: 'notes.txt', text: 'no report' })
  const refused = page.locator('.toasts', { hasText: 'notes.txt is no report of tests' })
  for (const known of ['JUnit XML', 'Playwright', 'Cucumber', 'XA', 'curl', 'OpenAPI'])
    await refused.getByText(known).waitFor()
})
