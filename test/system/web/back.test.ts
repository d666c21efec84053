import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { execute } from '../../support/web/ask.ts'

const EVENTS = 450
/** Behind three pages. */
const PLACE = 16_000

const open = useBrowser()
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
  await ingest(Array.from({ length: EVENTS }, (_none, i) => `Event ${i}`))
})
afterAll(() => assay?.stop())

async function ingest(titles: readonly string[]): Promise<void> {
  const response = await fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(titles.map((title) => ({ title, status: 'OPEN' }))),
  })
  expect(response.status).toBe(202)
}

const rows = (page: Page) => page.locator('.table.scrolls > .rows')
const placeOf = (page: Page) => rows(page).evaluate(({ scrollTop }) => scrollTop)

/** The list is drawn at a place; a page that goes back shows the one that it leaves for a moment. */
const isAt = (page: Page, place: number) =>
  eventually(async () => expect(await placeOf(page)).toBe(place))

/** Scrolls on as pages arrive, until the rows of the place are drawn. */
const scrollTo = (page: Page, place: number) =>
  eventually(async () => {
    await rows(page).evaluate((element, top) => {
      element.scrollTop = top
    }, place)
    expect(await placeOf(page)).toBe(place)
    expect(await page.evaluate(IS_DRAWN)).toBe(true)
  })

/** True if a row is drawn over the middle of the list. */
const IS_DRAWN = `(() => {
  const list = document.querySelector('.table.scrolls > .rows')
  const { top, height } = list.getBoundingClientRect()
  return [...list.querySelectorAll('[data-index]')].some((row) => {
    const place = row.getBoundingClientRect()
    return place.top <= top + height / 2 && top + height / 2 <= place.bottom
  })
})()`

test('a reader who comes back to a list finds it as it was left, and what happened meanwhile', async () => {
  const page = await open(`${assay.url}/events`)
  const link = (name: string) => page.getByRole('link', { name, exact: true }).first()
  await page.getByText(`${EVENTS}`, { exact: true }).waitFor()
  await scrollTo(page, PLACE)
  const seen = page.getByRole('link', { name: /^Event \d/ }).nth(14)
  await seen.scrollIntoViewIfNeeded() // a click does so, too
  const place = await placeOf(page)
  const title = (await seen.textContent()) ?? ''
  await seen.click()
  await page.getByRole('heading', { name: title }).waitFor()
  await ingest(['While away'])

  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes('query Events(')) await isReleased
    await route.continue()
  })
  await page.goBack()
  await link(title).waitFor()
  await isAt(page, place)
  release()
  await page.getByText(`${EVENTS + 1}`, { exact: true }).waitFor()
  expect(await placeOf(page)).toBe(place)
  await ingest(['After coming back'])
  await page.getByText(`${EVENTS + 2}`, { exact: true }).waitFor()
  await rows(page).evaluate((element) => {
    element.scrollTop = 0
  })
  await link('After coming back').waitFor()
  await link('While away').waitFor()
})

test('a new visit to a list begins at the top, and each visit has its own place', async () => {
  const page = await open(`${assay.url}/events`)
  const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name })
  await rows(page).waitFor()
  await menu('Executions').click()
  await page.getByRole('heading', { name: 'Executions' }).waitFor()
  await menu('Events').click()
  await rows(page).waitFor()
  await scrollTo(page, PLACE)
  await menu('Executions').click()
  await page.getByRole('heading', { name: 'Executions' }).waitFor()
  await menu('Events').click()
  await rows(page).waitFor()
  await isAt(page, 0)
  const goBackTwice = async () => {
    await page.goBack()
    await page.getByRole('heading', { name: 'Executions' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Events' }).waitFor()
  }
  await goBackTwice()
  await isAt(page, PLACE)
  await goBackTwice()
  await isAt(page, 0)
})

test('going back undoes a filter, and finds the place again', async () => {
  const page = await open(`${assay.url}/events`)
  await scrollTo(page, PLACE)
  await page.getByLabel('Query').fill('title:"Event 449"')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('.head .number', { hasText: /^1$/ }).waitFor()
  await page.getByLabel('Open', { exact: true }).check()
  await page.waitForURL(/status/)
  await page.goBack()
  await page.getByRole('checkbox', { name: 'Open', exact: true, checked: false }).waitFor()
  await page.goBack()
  await page.locator('.head .number', { hasText: /^4\d\d$/ }).waitFor()
  expect(await page.getByLabel('Query').inputValue()).toBe('')
  await isAt(page, PLACE)
})

test('executions of the last day are found as they were left, too', async () => {
  // All 130 at once may be refused on a busy machine.
  for (let round = 0; round < 13; round++)
    await Promise.all(Array.from({ length: 10 }, () => execute(assay, 'loan-schedule')))
  const page = await open(`${assay.url}/executions?last=24h`)
  await page.getByText('130', { exact: true }).waitFor()
  await scrollTo(page, 5_800)
  const seen = rows(page).getByRole('link').nth(14)
  await seen.scrollIntoViewIfNeeded()
  const place = await placeOf(page)
  expect(place).toBeGreaterThan(5_200) // behind a page
  await seen.click()
  await page.getByRole('treeitem').first().waitFor()
  await page.goBack()
  await rows(page).waitFor()
  await isAt(page, place)
  await execute(assay, 'loan-schedule')
  await page.getByText('131', { exact: true }).waitFor()
  expect(await placeOf(page)).toBe(place)
})
