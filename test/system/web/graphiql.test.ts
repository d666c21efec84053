import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../_support/assay.ts'
import { eventually } from '../../_support/eventually.ts'
import { useBrowser } from '../_support/browser.ts'

const open = useBrowser()
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
})
afterAll(() => assay.stop())

const openTab = async (name: string): Promise<Page> => {
  const page = await open(`${assay.url}/graphql`)
  await page.getByRole('button', { name, exact: true }).click()
  return page
}

const run = (page: Page) =>
  page.getByRole('button', { name: /^Execute query/ }).click({ timeout: 2_000 })

/** GraphiQL takes over the operation of another tab later than its text: until then it runs nothing. */
const runUntil = (page: Page, isDone: () => unknown) =>
  eventually(async () => {
    await run(page).catch(() => {}) // while it runs, the button stops it
    await isDone()
  })

/** Whether the answer shows a text by now, or soon. */
const shown = (page: Page, text: string) =>
  page.locator('.result-window').getByText(text).first().waitFor({ timeout: 3_000 })

test('a browser gets GraphiQL, whose first example is answered, with what the schema says of it', async () => {
  const page = await openTab('Scenarios')
  await runUntil(page, () => shown(page, 'A loan over 12 months is repaid to the cent'))
  await page.getByRole('button', { name: 'Show Documentation Explorer' }).click()
  await page.getByText('A GraphQL schema provides').waitFor()
})

test('the example of a mutation executes a scenario', async () => {
  const page = await openTab('Execute')
  await runUntil(page, () => shown(page, 'COMPLETED'))
})

test('the example of a subscription shows events as they come', async () => {
  const page = await openTab('Watch')
  const title = 'Seen in a browser'
  // A click that comes while a run begins ends it, so each try sends an event of its own.
  await runUntil(page, async () => {
    await fetch(`${assay.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    })
    await shown(page, title)
  })
})
