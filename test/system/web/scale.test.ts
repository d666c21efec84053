import { type Assay, startAssay } from '../../support/assay.ts'
import { createMigratedDatabase, type TestDatabase } from '../../support/database.ts'
import { productKeys } from '../../support/product-keys.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { ask, execute } from '../../support/web/ask.ts'
import { copyExecution, inDatabase, openEvents, sendEvents } from '../../support/web/large-store.ts'
import { expectNoLongTask, observeTasks, scroll } from '../../support/web/long-task.ts'

/** Lists and trees of full size. */
const LIST = 100_000
const ROWS = 900
const STEPS_OF_ROW = 10
const UPDATES = 300
const MEMBERS = 1_000
const LINES = 100_000
const LINES_OF_UPDATE = 100

const open = useBrowser()
let database: TestDatabase
let assay: Assay
beforeAll(async () => {
  database = await createMigratedDatabase()
  assay = await startAssay({
    mode: 'in-process',
    env: {
      DATABASE_URL: database.url,
      ...productKeys(),
    },
  })
})
afterAll(async () => {
  await assay?.stop()
  await database?.drop()
})

test('a list of 100 000 events scrolls, filters and moves without a long task', async () => {
  await sendEvents(assay, openEvents(LIST))
  const page = await open(`${assay.url}/configuration/about`)
  await observeTasks(page)
  await page.goto(`${assay.url}/events`)
  const row = (name: RegExp | string) => page.getByRole('link', { name }).first()
  await row(/^Event /).waitFor()

  await expectNoLongTask(page, '100 000 events, scrolling', () => scroll(page, '.rows', 40))
  await expectNoLongTask(page, '100 000 events, filtering', async () => {
    await page.getByLabel('Query').fill(`title:"Event ${LIST - 1}"`)
    await page.keyboard.press('Enter')
    await row('Event 1').waitFor({ state: 'detached' })
    await row(`Event ${LIST - 1}`).waitFor()
    await page.getByLabel('Query').fill('')
    await page.keyboard.press('Enter')
    await page
      .getByRole('link', { name: /^Event / })
      .nth(10)
      .waitFor()
    await scroll(page, '.rows', 10)
  })
  let round = 0
  await expectNoLongTask(page, `100 000 events, ${UPDATES} arriving`, async () => {
    round++
    const arrivals = Array.from({ length: UPDATES }, (_none, i) => `Arrival ${round}.${i}`)
    await sendEvents(
      assay,
      arrivals.map((title) => ({ title })),
    )
    // Events of one call come at one time, and any of them may be the first one.
    await sendEvents(assay, [{ title: `Last arrival ${round}` }])
    await row(`Last arrival ${round}`).waitFor()
  })
})

test('a list of 100 000 executions scrolls, filters and moves without a long task', async () => {
  const pattern = await execute(assay, 'loan-schedule')
  await copyExecution(database.url, {
    ...{ of: pattern, count: LIST, apartMs: 10 },
    columns: {
      context_name: `'Copy ' || i`,
      state: `case when i % 2 = 0 then 'FAILED' else 'COMPLETED' end`,
      steps: `'[]'::jsonb`,
    },
  })
  const page = await open(`${assay.url}/configuration/about`)
  await observeTasks(page)
  await page.goto(`${assay.url}/executions`)
  await page.getByText(/^100,00\d$/).waitFor()
  const row = (name: string) => page.getByRole('link', { name, exact: true }).first()

  await expectNoLongTask(page, '100 000 executions, scrolling', () => scroll(page, '.rows', 40))
  await expectNoLongTask(page, '100 000 executions, filtering', async () => {
    await page.getByText('Failed', { exact: true }).first().click()
    await page.getByText('50,000', { exact: true }).waitFor()
    await page.getByLabel('Name').fill('Copy 77776')
    await page.keyboard.press('Enter')
    await row('Copy 2').waitFor({ state: 'detached' })
    await row('Copy 77776').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText(/^100,00\d$/).waitFor()
    await scroll(page, '.rows', 10)
  })
  await expectNoLongTask(page, '100 000 executions, 10 running', async () => {
    for (let i = 0; i < 10; i++) await execute(assay, 'loan-schedule', i === 9)
    await row('A loan over 12 months is repaid to the cent').waitFor()
  })
})

test('a tree of nearly 10 000 steps grows, scrolls and is filtered without a long task', async () => {
  const { createTestCase } = await ask<{ createTestCase: { id: string } }>(
    assay,
    'mutation Create($input: CreateTestCaseInput!) { createTestCase(input: $input) { id } }',
    {
      input: {
        name: 'Many steps',
        allowExecuteWithoutCredentials: true,
        useCodeCoverage: false,
        scenario: {
          dataset: {
            maxParallel: 16,
            rows: Array.from({ length: ROWS }, (_none, row) => ({ row })),
          },
          steps: [
            ...Array.from({ length: STEPS_OF_ROW - 1 }, (_none, i) => ({
              id: `s${i}`,
              wait: { ms: 1 },
            })),
            {
              id: 'last',
              wait: { ms: 1 },
              expect: [{ name: 'nothing', path: '$.nothing', assert: 'equals', value: 1 }],
            },
          ],
        },
      },
    },
  )
  const page = await open(`${assay.url}/configuration/about`)
  await observeTasks(page)
  await page.goto(`${assay.url}/executions`)
  await expectNoLongTask(page, '10 000 steps, growing', async () => {
    const id = await execute(assay, createTestCase.id, false)
    await page.goto(`${assay.url}/executions/${id}`)
    await page.locator('.head .badge', { hasText: /Passed|Failed|Error/ }).waitFor()
    await page.getByRole('treeitem').first().waitFor()
  })
  await expectNoLongTask(page, '10 000 steps, opening', async () => {
    await page.reload()
    await page.getByRole('treeitem').first().waitFor()
  })
  await expectNoLongTask(page, '10 000 steps, only those that failed', async () => {
    const only = page.getByText(/^Only \d+ failed$/)
    await only.click()
    await page.getByRole('treeitem', { name: 's0' }).first().waitFor({ state: 'detached' })
    await only.click()
    await page.getByRole('treeitem', { name: 's0' }).first().waitFor()
  })
  const steps = '.tree .node >> nth=0'
  await expectNoLongTask(page, '10 000 steps, scrolling', () => scroll(page, steps, 20))
})

test('a suite of 1 000 scenarios opens and scrolls without a long task', async () => {
  const suite = await execute(assay, 'finance')
  await inDatabase(database.url, async (client) => {
    await client.query(
      `insert into test_execution.execution
      select (jsonb_populate_record(e, jsonb_build_object(
        'id', (lpad(to_hex((extract(epoch from e.started) * 1000)::bigint), 12, '0')
          || '70009000' || lpad(to_hex(i), 12, '0'))::uuid,
        'position', 100 + i,
        'context_name', 'Member ' || i))).*
      from test_execution.execution e, generate_series(1, ${MEMBERS}) i
      where e.id = (select id from test_execution.execution where suite_id = $1 limit 1)`,
      [suite],
    )
  })
  const page = await open(`${assay.url}/configuration/about`)
  await observeTasks(page)
  await page.goto(`${assay.url}/executions/${suite}`)
  await expectNoLongTask(page, '1 000 scenarios, opening', async () => {
    await page.reload()
    await page.getByText('Member 1', { exact: true }).first().waitFor()
  })
  const tree = '.tree .node >> nth=0'
  await expectNoLongTask(page, '1 000 scenarios, scrolling', () => scroll(page, tree, 20))
})

test('a log of 100 000 lines opens, scrolls from either end and is searched without a long task', async () => {
  const id = await execute(assay, 'tax-table')
  await inDatabase(database.url, async (client) => {
    await client.query(
      `insert into test_execution.execution_update
      select (jsonb_populate_record(u, jsonb_build_object('seq', 1000 + i, 'log', (
        select jsonb_agg('10:00:00.000 INFO Engine  Line ' || i * $2 + n || repeat(' and more', n % 40))
        from generate_series(1, $2::int) n)))).*
      from test_execution.execution_update u, generate_series(0, $3::int - 1) i
      where u.execution_id = $1 and u.kind = 'LOG'
        and u.seq = (select min(seq) from test_execution.execution_update where execution_id = $1 and kind = 'LOG')`,
      [id, LINES_OF_UPDATE, LINES / LINES_OF_UPDATE],
    )
  })
  const page = await open(`${assay.url}/configuration/about`)
  await observeTasks(page)
  await page.goto(`${assay.url}/executions/${id}?tab=log`)
  const line = (number: number) => page.getByText(new RegExp(`Line ${number}( |$)`)).first()
  await expectNoLongTask(page, '100 000 lines, opening', async () => {
    await page.reload()
    await line(1).waitFor()
  })
  await expectNoLongTask(page, '100 000 lines, scrolling', () => scroll(page, '.log', 40))
  await expectNoLongTask(page, '100 000 lines, from the end', async () => {
    await page.getByRole('button', { name: 'Go to the end' }).click()
    await line(LINES).waitFor()
    for (let i = 0; i < 20; i++) await page.keyboard.press('PageUp')
  })
  await expectNoLongTask(page, '100 000 lines, searching', async () => {
    await page.getByLabel('Search the log').fill('Line 7777')
    await page.locator('.log mark').first().waitFor()
    await page.getByLabel('Search the log').fill('')
    await page.locator('.log mark').first().waitFor({ state: 'detached' })
  })
})
