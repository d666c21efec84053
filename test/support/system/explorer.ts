import type { Locator, Page } from 'playwright-core'
import { eventually } from '../eventually.ts'

/** An operation of the API explorer, unfolded. */
export async function unfold(page: Page, method: string, path: string): Promise<Locator> {
  const operation = await near(page, method, path)
  await operation.locator('.opblock-summary-control').click()
  return operation
}

/** An operation of the API explorer, near enough to be in the page. */
export async function near(page: Page, method: string, path: string): Promise<Locator> {
  const operation = page
    .locator(`.opblock-${method}`)
    .filter({ has: page.locator(`[data-path="${path}"]`) })
  await eventually(async () => {
    if ((await operation.count()) > 0) return
    await scrollOn(page)
    throw new Error(`The explorer does not show ${method} ${path}`)
  })
  return operation
}

/** A long list of operations has in the page only those that are near: goes on by a part of it, at its end from the top. */
export const scrollOn = (page: Page): Promise<void> =>
  page.evaluate(
    '{ const before = scrollY; scrollBy(0, innerHeight / 2); if (scrollY === before) scrollTo(0, 0) }',
  )

/** Clicks Execute, and reads status and body of the response shown. */
export async function answer(operation: Locator): Promise<{ status: string; body: string }> {
  await operation.getByRole('button', { name: 'Execute', exact: true }).click()
  const live = operation.locator('.live-responses-table .response')
  await live.waitFor()
  return {
    status: await textOf(live.locator('.response-col_status')),
    body: await textOf(live.locator('.response-col_description .highlight-code code').first()),
  }
}

export const textOf = async (locator: Locator): Promise<string> =>
  (await locator.textContent()) ?? ''
