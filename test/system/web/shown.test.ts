import { readFile } from 'node:fs/promises'
import { type Assay, startAssay } from '../../support/assay.ts'
import { startCollector } from '../../support/collector.ts'
import { eventually } from '../../support/eventually.ts'
import { boxOf, useBrowser } from '../../support/system/browser.ts'
import { ask, execute } from '../../support/web/ask.ts'

const open = useBrowser()
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
})
afterAll(() => assay.stop())

test('a page on a slow line shows its frame before its scripts are there', async () => {
  const page = await open(`${assay.url}/healthz`)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(`${assay.url}/executions`, { waitUntil: 'commit' })
  await page.locator('.shell[aria-busy] .side').getByText('Assay').waitFor()
  expect(await page.locator('.unloaded').isVisible()).toBe(false)
  release()
  await page.getByRole('heading', { level: 1, name: 'Executions' }).waitFor()
  await page.locator('.shell[aria-busy]').waitFor({ state: 'detached' })
})

test.each([
  [1440, 900],
  [1280, 720],
])(
  'the editor of a component leaves its revisions to be seen at %i × %i',
  async (width, height) => {
    const components = '{ component(id: "tax-table") { name language sourceCode revision } }'
    const { component } = await ask<{ component: Record<string, unknown> }>(assay, components)
    const { revision, ...given } = component
    await ask(
      assay,
      'mutation ($input: UpdateComponentInput!) { updateComponent(input: $input) { id } }',
      { input: { ...given, id: 'tax-table', sourceCode: `${given.sourceCode}// ${width}\n` } },
    )
    const page = await open(`${assay.url}/repository/components/tax-table`)
    await page.setViewportSize({ width, height })
    const revisions = page.getByRole('heading', { name: 'Revisions' })
    await page.locator('.editor').waitFor()
    await revisions.waitFor()
    await eventually(async () => {
      const [editor, card] = [await boxOf(page.locator('.editor')), await boxOf(revisions)]
      const isApart = editor.y + editor.height <= card.y || editor.x + editor.width <= card.x
      expect({ isApart, revision }).toEqual({ isApart: true, revision: expect.any(Number) })
    })
    await revisions.scrollIntoViewIfNeeded()
    await revisions.click() // nothing lies over it
  },
)

test('trends of what does not exist say so and offer no run', async () => {
  const page = await open(`${assay.url}/trends?context=nosuch`)
  await page.getByText('There is no such scenario or suite').waitFor()
  expect(await page.getByRole('button', { name: /^Run/ }).count()).toBe(0)
})

test('facts of an execution are names with ids as titles', async () => {
  const shop = { id: '01a2201f-0000-7000-8000-000000000000', name: 'Shop of tests' }
  const create = (kind: string) =>
    `mutation ($input: Create${kind}Input!) { create${kind}(input: $input) { id } }`
  await ask(assay, create('Environment'), { input: shop })
  const scenario = { steps: [{ id: 'a', wait: { ms: 1 } }] }
  const input = { ...{ id: 'named', name: 'A named one', environment: shop.id, scenario } }
  await ask(assay, create('TestCase'), {
    input: { ...input, allowExecuteWithoutCredentials: true },
  })
  const page = await open(`${assay.url}/executions/${await execute(assay, 'named')}`)
  const facts = page.locator('.facts').first()
  await facts.getByRole('link', { name: shop.name }).waitFor()
  expect(await facts.getByTitle(shop.id).count()).toBe(1)
  expect(await facts.textContent()).not.toContain(shop.id)
})

test('entries of the audit log lead to what was changed and are filtered by action and target', async () => {
  const suite = { id: 'audited', name: 'Audited', testCases: ['tax-table'] }
  const create = 'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'
  await ask(assay, create, { input: suite })
  const update = 'mutation ($input: UpdateSuiteInput!) { updateSuite(input: $input) { id } }'
  await ask(assay, update, { input: { ...suite, name: 'Audited again' } })
  const page = await open(`${assay.url}/repository/suites/audited`)
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.waitForURL(/target=audited/)
  await page.getByLabel('Action, such as updateSuite').fill('deleteSuite')
  await page.keyboard.press('Enter')
  await page.getByText('No entry').waitFor()
  await page.getByLabel('Action, such as updateSuite').fill('createSuite')
  await page.keyboard.press('Enter')
  await page.getByRole('table').getByRole('link', { name: 'audited' }).click()
  await page.getByRole('heading', { level: 1, name: 'Audited again' }).waitFor()

  const channel = {
    id: 'audited-channel',
    name: 'Watched',
    kind: 'webhook',
    url: 'https://example.com',
  }
  const createChannel =
    'mutation ($input: CreateChannelInput!) { createChannel(input: $input) { id } }'
  await ask(assay, createChannel, { input: channel })
  await page.goto(`${assay.url}/administration?tab=audit&action=createChannel`)
  await page.getByRole('table').getByRole('link', { name: 'audited-channel' }).click()
  await page.getByRole('heading', { level: 1, name: 'Watched' }).waitFor()
})

/** Stores a scenario of a function of a component. @returns its id */
async function storeCalling(component: string, name: string, sourceCode: string): Promise<string> {
  const create =
    'mutation ($input: CreateComponentInput!) { createComponent(input: $input) { id } }'
  await ask(assay, create, { input: { id: component, name: `Part ${name}`, sourceCode } })
  return storeScenario({
    ...{ name, componentUnderTest: component },
    scenario: { steps: [{ id: 'ask', call: { function: 'ask', args: [] } }] },
  })
}

async function storeScenario(input: object): Promise<string> {
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation ($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    { input: { allowExecuteWithoutCredentials: true, ...input } },
  )
  return createTestCase.id
}

test('a cause and what changed before it have the name of a component, not its id', async () => {
  const id = '01a2201f-1111-7000-8000-000000000000'
  const context = await storeCalling(id, 'rates', 'export const ask = () => 1')
  await execute(assay, context)
  const input = { id, name: 'Part rates', sourceCode: 'export const ask = () => nothing' }
  const update =
    'mutation ($input: UpdateComponentInput!) { updateComponent(input: $input) { id } }'
  await ask(assay, update, { input })
  const page = await open(`${assay.url}/executions/${await execute(assay, context)}`)
  await page.getByText('component Part rates: 1 → 2').waitFor()
  const cause = page.getByRole('link', { name: 'SCRIPT_ERROR · Part rates' })
  await cause.waitFor()
  expect(await page.locator('main').textContent()).not.toContain(id)
  await cause.click()
  await page.getByRole('heading', { level: 1, name: 'SCRIPT_ERROR · Part rates' }).waitFor()
  await page.getByText('Part rates r1').waitFor()
  expect(await page.locator('main').textContent()).not.toContain(id)
  await page.goto(`${assay.url}/executions/causes`)
  await page.getByRole('link', { name: 'SCRIPT_ERROR · Part rates' }).waitFor()
})

test('the end of an execution is said in a sentence', async () => {
  const failing = { id: 'a', wait: { ms: 1 }, expect: [{ assert: 'equals', value: 'never' }] }
  const ends = [
    ['tax-table', 'The execution has failed'],
    ['loan-schedule', 'The execution has passed'],
    [
      await storeScenario({ name: 'Fails', scenario: { steps: [failing] } }),
      'The execution has failed',
    ],
    [
      await storeCalling('thrower', 'throws', 'export const ask = () => nothing'),
      'The execution has ended with an error',
    ],
  ] as const
  const page = await open(`${assay.url}/healthz`)
  const said = (text: string) =>
    eventually(async () => {
      expect(await page.locator('[aria-live=polite]').textContent()).toBe(text)
    })
  for (const [context, sentence] of ends) {
    await page.goto(`${assay.url}/executions/${await execute(assay, context)}`)
    await said(sentence)
  }
  const endless = { name: 'Endless', scenario: { steps: [{ id: 'a', wait: { ms: 600_000 } }] } }
  const id = await execute(assay, await storeScenario(endless), false)
  await page.goto(`${assay.url}/executions/${id}`)
  await said('The execution is running')
  const cancel =
    'mutation ($input: CancelExecutionInput!) { cancelExecution(input: $input) { id } }'
  await ask(assay, cancel, { input: { id } })
  await said('The execution was cancelled')
})

test('the meter of a flaky scenario has a value of two digits, which its text says, too', async () => {
  // Seven executions, of which the fourth fails: 2 of 6 changes.
  let nth = 0
  const collector = await startCollector((response) => {
    nth++
    response.writeHead(nth === 4 ? 503 : 200).end()
  })
  const create =
    'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }'
  await ask(assay, create, { input: { id: 'shaky', name: 'Shaky', baseUrl: collector.url } })
  const steps = [{ id: 'ask', http: { url: '/' }, expect: [{ assert: 'status', value: 200 }] }]
  const context = await storeScenario({ name: 'Shaky', environment: 'shaky', scenario: { steps } })
  for (let i = 0; i < 7; i++) await execute(assay, context)
  await collector.stop()
  const page = await open(`${assay.url}/trends`)
  const row = page.getByRole('row', { name: /Shaky/ })
  const value = Number(await row.getByRole('meter').getAttribute('value'))
  expect(value).toBeGreaterThan(0)
  expect(value).toBe(Number(value.toFixed(2)))
  await row.getByText(`${Math.round(value * 100)} %`, { exact: true }).waitFor()
  await row.getByText('2 of 6').waitFor()
})

test('the report of the page of an execution has as many test cases as the page says', async () => {
  const rows = {
    ...{ name: 'By rows' },
    scenario: {
      dataset: { rows: [{ n: 1 }, { n: 2 }, { n: 3 }] },
      steps: [
        { id: 'a', wait: { ms: 1 } },
        { id: 'b', wait: { ms: 1 } },
      ],
    },
  }
  const suite = {
    ...{ id: 'reported', name: 'Reported' },
    testCases: [await storeScenario(rows), 'loan-schedule', 'tax-table'],
  }
  const create = 'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'
  await ask(assay, create, { input: suite })
  const id = await execute(assay, 'reported')
  const page = await open(`${assay.url}/executions/${id}?tab=reports`)
  await page.getByText('a test case for each scenario, or for each row of its dataset').waitFor()
  const loaded = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download JUnit' }).click()
  const report = await readFile(await (await loaded).path(), 'utf8')
  expect(report.match(/<testcase /g)).toHaveLength(3 + 2)
  expect(report.match(/<failure /g)).toHaveLength(1)
})

test('where nobody signs in, revisions say so in the words of the audit log', async () => {
  const suite = { id: 'unsigned', name: 'Unsigned', testCases: ['tax-table'] }
  const create = 'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'
  await ask(assay, create, { input: suite })
  const page = await open(`${assay.url}/repository/suites/unsigned`)
  const revisions = page.locator('.card', { hasText: 'Revisions' }).getByRole('listitem')
  await revisions.filter({ hasText: 'r1' }).getByText('no sign-in').waitFor()
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page
    .getByRole('row', { name: /createSuite unsigned/ })
    .getByText('no sign-in')
    .waitFor()
})

test('requests and responses of steps that passed are shown', async () => {
  const collector = await startCollector((response, _nth, { path }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(path === '/graph' ? '{"data":{"rate":7}}' : '{"price":21}')
  })
  const create =
    'mutation ($input: CreateEnvironmentInput!) { createEnvironment(input: $input) { id } }'
  await ask(assay, create, { input: { id: 'asked', name: 'Asked', baseUrl: collector.url } })
  const steps = [
    { id: 'rest', http: { url: '/price' } },
    { id: 'graph', graphql: { url: '/graph', query: '{ rate }' } },
  ]
  const context = await storeScenario({ name: 'Asks', environment: 'asked', scenario: { steps } })
  const page = await open(`${assay.url}/executions/${await execute(assay, context)}`)
  await page.locator('.head .badge', { hasText: 'Passed' }).waitFor()
  for (const [step, sent, answered] of [
    ['rest', '/price', '21'],
    ['graph', 'rate', '7'],
  ] as const) {
    await page.getByRole('treeitem', { name: step }).click()
    await page.getByRole('region', { name: 'Request' }).getByText(sent).first().waitFor()
    const response = page.getByRole('region', { name: 'Response' })
    await response.locator('pre', { hasText: answered }).waitFor()
  }
  await collector.stop()
})

test('a failed execution is headed by its first failure, and differences are marked in whole words', async () => {
  const create =
    'mutation ($input: CreateComponentInput!) { createComponent(input: $input) { id } }'
  const sourceCode = "export const ask = () => ({ isOn: true, at: 'home' })"
  await ask(assay, create, { input: { id: 'switch', name: 'Switch', sourceCode } })
  const expected = [
    { name: 'it is off', path: '$', assert: 'equals', value: { isOn: false, at: 'home' } },
  ]
  const steps = [
    { id: 'ask', call: { function: 'ask' }, expect: expected },
    { id: 'turn', call: { function: 'turn' } },
  ]
  const input = { name: 'Switches', componentUnderTest: 'switch', scenario: { steps } }
  const page = await open(
    `${assay.url}/executions/${await execute(assay, await storeScenario(input))}`,
  )
  await page
    .locator('.notice', { hasText: /^Expected that \$ / })
    .first()
    .waitFor()
  await page.getByRole('treeitem', { name: 'ask' }).click()
  const failed = page.getByRole('region', { name: 'Expectation it is off' })
  await eventually(async () =>
    expect(await failed.locator('mark').allTextContents()).toEqual(['false', 'true']),
  )
})

test('executions are compared under a heading of few lines on a phone', async () => {
  const [a, b] = [await execute(assay, 'tax-table'), await execute(assay, 'tax-table')]
  const page = await open(`${assay.url}/executions/compare?a=${a}&b=${b}`)
  await page.setViewportSize({ width: 390, height: 844 })
  const heading = page.getByRole('heading', { level: 1, name: /^Compare ./ })
  await eventually(async () => expect((await boxOf(heading)).height).toBeLessThan(120))
})

test('a step is tried beside the scenario in a panel with room for its result', async () => {
  const page = await open(`${assay.url}/repository/scenarios/tax-table/edit`)
  await page.setViewportSize({ width: 1440, height: 900 })
  const result = page.getByLabel('Result that expectations look at')
  await eventually(async () => expect((await boxOf(result)).width).toBeGreaterThan(320))
})
