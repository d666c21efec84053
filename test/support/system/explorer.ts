import type { Locator, Page } from 'playwright-core'

/** An operation of the API explorer, unfolded. */
export async function unfold(page: Page, method: string, path: string): Promise<Locator> {
  const operation = page
    .locator(`.opblock-${method}`)
    .filter({ has: page.locator(`[data-path="${path}"]`) })
  await operation.locator('.opblock-summary-control').click()
  return operation
}

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
