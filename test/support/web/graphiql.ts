import type { Page } from 'playwright-core'
import { eventually } from '../eventually.ts'

/**
 * Runs the operation of GraphiQL again and again until something holds. GraphiQL takes over the operation of another tab
 * later than its text: until then it runs nothing. A click that comes while a subscription begins ends it.
 */
export const runUntil = (page: Page, isDone: () => unknown) =>
  eventually(async () => {
    const run = page.getByRole('button', { name: /^Execute query/ })
    await run.click({ timeout: 2_000 }).catch(() => {}) // while it runs, the button stops it
    await isDone()
  })

/** True if the answer shows a text by now, or soon. */
export const shown = (page: Page, text: string) =>
  page.locator('.result-window').getByText(text).first().waitFor({ timeout: 3_000 })
