import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { Assay } from '../support/assay.ts'
import { pathOf } from '../support/system/programs.ts'

const VIEW = { viewport: { width: 1000, height: 640 }, colorScheme: 'light' } as const
const QUALITY = '65'

/** Writes the moving picture of README: a scenario fails, its component is mended, and it passes. */
export async function takeStory(assay: Assay, browser: Browser, file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-story-'))
  const frames: string[] = []
  const page = await browser.newPage(VIEW)
  const show = async (ms: number) => {
    await page.waitForTimeout(400) // editors and charts are drawn after their data
    const path = join(folder, `${frames.length}.png`)
    await page.screenshot({ path, animations: 'disabled', caret: 'initial' })
    frames.push('-d', String(ms), path)
  }
  try {
    await play(page, assay.url, show)
    const options = ['-loop', '0', '-lossy', '-q', QUALITY, '-m', '6']
    execFileSync(pathOf('img2webp'), [...options, ...frames, '-o', file])
  } finally {
    await page.close()
    rmSync(folder, { recursive: true })
  }
}

async function play(page: Page, url: string, show: (ms: number) => Promise<void>): Promise<void> {
  await page.goto(`${url}/repository/scenarios/tax-table`)
  await page.getByRole('heading', { level: 1, name: 'Income tax' }).waitFor()
  await show(1_500)
  await run(page)
  await page.getByText('Expected that $.marginalRate equals 0.45').first().waitFor()
  await show(3_500)

  await page.goto(`${url}/repository/components/tax-table`)
  const source = page.getByRole('textbox', { name: 'Source of Tax table' })
  await source.click()
  await press(page, 'Control+Home', ...Array.from({ length: 10 }, () => 'ArrowDown'), 'End')
  await press(page, 'ArrowLeft', 'ArrowLeft', 'ArrowLeft')
  await show(1_500)
  await press(page, 'Backspace')
  await page.keyboard.type('5')
  await show(1_500)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The component was saved').first().waitFor()
  await show(1_200)
  await run(page)
  await page.getByRole('heading', { level: 1, name: 'Income tax' }).waitFor()
  await page.locator('.badge', { hasText: 'Passed' }).first().waitFor()
  await show(3_500)
}

const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click()

async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}
