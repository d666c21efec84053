import type { Locator, Page } from 'playwright-core'
import { eventually } from '../eventually.ts'

/** Checks a box that the page shows as checked once its address has changed; Playwright's `check` looks at once. */
export async function choose(box: Locator): Promise<void> {
  await box.click()
  await eventually(async () => {
    if (!(await box.isChecked())) throw new Error(`${box} is not checked`)
  })
}

/** Clicks a button if the page has it by now, for one that the page may take away by itself at any moment. */
export const clickIfThere = (page: Page, text: string): Promise<void> =>
  page.evaluate(
    `[...document.querySelectorAll('button')].find((each) => each.textContent === ${JSON.stringify(text)})?.click()`,
  )

/** Goes to a page by a chord, which a slow machine may take for two single keys. */
export async function jump(page: Page, key: string, heading: string): Promise<void> {
  await eventually(async () => {
    for (const each of ['g', key]) await page.keyboard.press(each)
    await page.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: 5_000 })
  })
}
