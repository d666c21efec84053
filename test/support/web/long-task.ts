import type { Page } from 'playwright-core'

/** A task that blocks the page for longer than this is felt. */
const LONG_TASK_MS = 200

/** Watches a page from its first script on; it has to be loaded anew. */
export const observeTasks = (page: Page): Promise<unknown> =>
  page.addInitScript(`globalThis.longest = 0
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration)
}).observe({ entryTypes: ['longtask'] })`)

/**
 * Prints how long the page was blocked at most while `act` ran: the best of some tries, as others may use the processor, too.
 * @throws where that is felt
 */
export async function expectNoLongTask(
  page: Page,
  what: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const tries: number[] = []
  for (let i = 0; i < 4 && !(Math.min(...tries) < LONG_TASK_MS); i++) {
    await page.evaluate('globalThis.longest = 0')
    await act()
    await nextFrame(page)
    tries.push(Number(await page.evaluate('globalThis.longest')))
  }
  process.stdout.write(`${what}: longest task ${Math.min(...tries)} ms (0: none above 50 ms)\n`)
  expect(Math.min(...tries)).toBeLessThan(LONG_TASK_MS)
}

/** Goes to the end of what is loaded again and again, and now and then back. */
export async function scroll(page: Page, selector: string, times: number): Promise<void> {
  await page.locator(selector).focus()
  for (let i = 0; i < times; i++) {
    await page.keyboard.press(i % 5 === 4 ? 'Home' : 'End')
    await nextFrame(page)
  }
  await page.keyboard.press('Home')
}

const nextFrame = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
