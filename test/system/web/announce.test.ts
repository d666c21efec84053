import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { eventually } from '../../support/eventually.ts'
import { useBrowser } from '../../support/system/browser.ts'

const open = useBrowser()
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
})
afterAll(() => assay.stop())

/** Keeps the notifications of the browser where a test can read and click them. One without a window shows none to anybody, and says "denied". */
const KEEP = `
  window.shown = []
  window.Notification = class extends Notification {
    static permission = 'granted'
    static requestPermission = async () => 'granted'
    constructor(title, options) {
      super(title, options)
      window.shown.push(this)
    }
  }`

const shown = (page: Page): Promise<string[]> =>
  page.evaluate('window.shown.map(({ title }) => title)')

const send = (...events: object[]) =>
  fetch(`${assay.url}/api/v1/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      events.map((event) => ({ severity: 'CRITICAL', status: 'OPEN', ...event })),
    ),
  })

const at = (query: string) => `${assay.url}/events?q=${encodeURIComponent(query)}`
const choice = (page: Page) => page.getByLabel('Notify in this browser')
const inEffect = (page: Page) =>
  page.locator('label[aria-busy=false]', { hasText: 'Notify in this browser' }).waitFor()

async function openAllowed(query: string): Promise<Page> {
  const page = await open(at(query))
  await page.addInitScript(KEEP)
  await page.reload()
  return page
}

test('the browser notifies of events that open, on any page, once each, and a click shows the event', async () => {
  await send({ title: 'Pump old' })
  const sent = Date.now()
  const page = await openAllowed('title:Pump* AND severity:CRITICAL')
  expect(await choice(page).isChecked()).toBe(false)
  // The page knows the time of the server by a second and the way of an answer.
  await eventually(async () => expect(Date.now()).toBeGreaterThan(sent + 10_000))
  await choice(page).check()
  await eventually(async () => expect(await shown(page)).toHaveLength(1))
  await inEffect(page)
  await page.getByRole('link', { name: 'Executions', exact: true }).first().click()
  await page.getByRole('heading', { name: 'Executions' }).waitFor()
  // A repetition of what was open, another query's, and one that opens.
  await send({ title: 'Pump old' }, { title: 'Pump slow', severity: 'WARN' })
  const source = { ref: 'p-1', name: 'Pump 1' }
  await send({ title: 'Pump down', message: 'No pressure', source })
  await send({ title: 'Pump down', message: 'Still none', source })
  const down = 'CRITICAL Pump down'
  await eventually(async () => expect((await shown(page)).slice(1)).toEqual([down]))
  // Its end is no news; its return is.
  await page.goBack()
  const row = page.getByRole('link', { name: 'Pump down' })
  await row.waitFor()
  await send({ title: 'Pump down', severity: 'INFO', status: 'OK', source })
  await row.waitFor({ state: 'detached' })
  await send({ title: 'Pump down', message: 'Again', source })
  await eventually(async () => expect((await shown(page)).slice(1)).toEqual([down, down]))
  expect(await page.evaluate('window.shown.at(-1).body')).toBe('Pump 1 · Again')
  await page.evaluate('window.shown.at(-1).dispatchEvent(new Event("click"))')
  await page.getByRole('heading', { name: 'Pump down' }).waitFor()
  // The browser remembers it, and misses nothing while the server is slow to say its time; many at once are one.
  await page.route('**/healthz', async (route) => {
    await delay(3_000)
    await route.continue()
  })
  await page.goto(at('title:Pump* AND severity:CRITICAL'))
  await inEffect(page)
  expect(await choice(page).isChecked()).toBe(true)
  await send(...Array.from({ length: 30 }, (_, n) => ({ title: `Pump leak ${n} of many` })))
  const opened = async () =>
    (await shown(page)).reduce((sum, title) => sum + Number(/^\d+/.exec(title)?.[0] ?? 1), 0)
  await eventually(async () => expect(await opened()).toBe(30))
  const many = (await shown(page)).length
  expect(many).toBeLessThan(10)
  await choice(page).uncheck()
  await send({ title: 'Pump gone' })
  await page.getByRole('link', { name: 'Pump gone' }).waitFor()
  expect(await shown(page)).toHaveLength(many)
})

test('where the browser blocks it, the page says so, and nothing is turned on', async () => {
  const page = await open(at('title:Valve*'))
  await page.evaluate(`Notification.requestPermission = async () => 'denied'`)
  await choice(page).click()
  await page.getByText('The browser blocks announcements').first().waitFor()
  expect(await choice(page).isChecked()).toBe(false)
})
