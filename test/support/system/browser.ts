import { setTimeout as delay } from 'node:timers/promises'
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { eventually } from '../eventually.ts'
import { pathOf } from './programs.ts'

/** Time that a page may take for a step: it shares a slow machine. */
const PATIENCE_MS = 120_000

/** Starts a browser without a network beyond this machine, and without a window: it takes less than half of the processor time. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: pathOf('chromium-headless-shell'),
    chromiumSandbox: false, // root has none; the pages are ours
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
  })

/** Opens an empty page that waits as long as a slow machine needs. */
export async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  await slowDown(page)
  return page
}

/**
 * Makes races seen where `SLOW_PAGES` asks for it: `3,1500` lets pages compute three times as long, and answers of the
 * graph come up to 1500 ms late, each by another time.
 */
async function slowDown(page: Page): Promise<void> {
  const [rate = 1, lateMs = 0] = process.env.SLOW_PAGES?.split(',').map(Number) ?? []
  if (rate > 1) {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate })
  }
  if (lateMs === 0) return
  await page.context().route('**/graphql', async (route) => {
    try {
      const response = await route.fetch({ timeout: 0 })
      await delay(Math.random() ** 2 * lateMs)
      await route.fulfill({ response })
    } catch {
      await route.abort().catch(() => {}) // the page was closed, or has no network
    }
  })
}

/**
 * Starts one browser for all tests of a file.
 * @returns what opens a page of its own. After each test its pages are closed, and it fails when one of them reported an
 * error (script, console, content security policy, an answer of 400 or more) or asked another host than the one it came from.
 */
export function useBrowser(): (url: string) => Promise<Page> {
  let browser: Browser | undefined
  let faults: string[] = []
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterEach(async () => {
    const seen = faults
    faults = []
    await Promise.all((browser?.contexts() ?? []).map(closeQuietly))
    expect(seen).toEqual([])
  })
  afterAll(() => browser?.close())
  return async (url) => {
    if (!browser) throw new Error('The browser did not start')
    const page = await newPage(browser)
    reportFaults(page, new URL(url).host, (fault) => faults.push(fault))
    await page.goto(url)
    return page
  }
}

/** Answers of a test in the place of the server may be on their way: their late failure would be one of the next test. */
async function closeQuietly(context: BrowserContext): Promise<void> {
  for (const each of [context, ...context.pages()])
    await each.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
}

function reportFaults(page: Page, host: string, report: (fault: string) => void): void {
  page.on('pageerror', (error) => report(`error: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') report(`console: ${message.text()}`)
  })
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (/^(http|ws)/.test(asked.protocol) && asked.host !== host) report(`asked ${asked.host}`)
  })
  page.on('response', (response) => {
    if (response.status() >= 400) report(`${response.status()} for ${response.url()}`)
  })
}

/** Reads where an element is drawn, in CSS pixels. A page that draws anew may take away the element that was found: looks again. */
export const boxOf = (shown: Locator): ReturnType<typeof boxNow> => eventually(() => boxNow(shown))

async function boxNow(shown: Locator) {
  const box = await shown.boundingBox()
  if (!box) throw new Error(`${shown} is not drawn`)
  return box
}
