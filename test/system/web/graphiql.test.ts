import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { runUntil, shown } from '../../support/web/graphiql.ts'

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
  // Each try sends an event: the click before it may have ended the subscription.
  await runUntil(page, async () => {
    await fetch(`${assay.url}/api/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title }),
    })
    await shown(page, title)
  })
})
