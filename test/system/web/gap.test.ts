import type { Page } from 'playwright-core'
import { type Assay, startAssay } from '../../support/assay.ts'
import { useBrowser } from '../../support/system/browser.ts'
import { ask, execute } from '../../support/web/ask.ts'

const open = useBrowser()
let assay: Assay
beforeAll(async () => {
  assay = await startAssay({ mode: 'in-process' })
})
afterAll(() => assay?.stop())

/** A page whose subscriptions are held back: what happens between reading and subscribing. */
async function openHeld(path: string): Promise<{ page: Page; release(): void }> {
  const page = await open(`${assay.url}/configuration/about`)
  const held: (() => void)[] = []
  let isHeld = true
  await page.routeWebSocket(/\/graphql$/, (client) => {
    const server = client.connectToServer()
    client.onMessage((message) => {
      const send = () => server.send(message)
      if (isHeld && JSON.parse(String(message)).type === 'subscribe') held.push(send)
      else send()
    })
  })
  await page.goto(assay.url + path)
  return {
    page,
    release() {
      isHeld = false
      for (const send of held) send()
    },
  }
}

const ingest = (title: string) =>
  ask(
    assay,
    'mutation Ingest($input: IngestEventsInput!) { ingestEvents(input: $input) { sent } }',
    {
      input: { events: [{ title, severity: 'ERROR', status: 'OPEN' }] },
    },
  )

test('lists show what starts between their reading and their subscription', async () => {
  await execute(assay, 'loan-schedule')
  await ingest('Before the gap')
  const executions = await openHeld('/executions')
  await executions.page.getByRole('link', { name: /loan/i }).first().waitFor()
  const events = await openHeld('/events')
  await events.page.getByRole('link', { name: 'Before the gap' }).waitFor()
  const overview = await openHeld('/')
  await overview.page.getByText('Before the gap').waitFor()

  await execute(assay, 'tax-table')
  await ingest('In the gap')
  for (const { release } of [executions, events, overview]) release()
  await executions.page.getByRole('link', { name: /tax/i }).first().waitFor()
  await events.page.getByRole('link', { name: 'In the gap' }).waitFor()
  await overview.page.getByText('In the gap').waitFor()
  await overview.page.getByRole('link', { name: /tax/i }).first().waitFor()
})

test('an update that overtakes the list it belongs to is not lost', async () => {
  const page = await open(`${assay.url}/configuration/about`)
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>()
  const { promise: isStarted, resolve: started } = Promise.withResolvers<void>()
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('query Executions(')) return route.continue()
    const response = await route.fetch()
    read()
    await isStarted
    await route.fulfill({ response })
  })
  const frames: string[] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => frames.push(String(payload))),
  )
  await page.goto(`${assay.url}/executions?context=shipping-quote`)
  await page.getByRole('heading', { name: 'Executions' }).waitFor()
  await isRead
  // An execution that starts before the subscription is not sent.
  while (!frames.some((frame) => frame.includes('"ERROR"'))) {
    await execute(assay, 'shipping-quote')
    await page.waitForTimeout(500)
  }
  await page.waitForTimeout(500) // updates are gathered for a moment
  started()
  await page
    .getByRole('link', { name: /Parcels/ })
    .first()
    .waitFor()
})

test('a page whose stream falls silent shows it, and goes on behind its cursor', async () => {
  const page = await open(`${assay.url}/configuration/about`)
  await page.clock.install()
  let isSilent = false
  await page.routeWebSocket(/\/graphql$/, (client) => {
    const server = client.connectToServer()
    client.onMessage((message) => isSilent || server.send(message))
    server.onMessage((message) => isSilent || client.send(message))
  })
  await page.goto(`${assay.url}/events`)
  await ingest('Before the silence')
  await page.getByRole('link', { name: 'Before the silence' }).waitFor()
  isSilent = true
  await ingest('In the silence')
  const lost = page.getByText('The connection to the server is lost')
  // A ping, its answer that does not come, and then connections that are not acknowledged.
  for (let waits = 0; waits < 3; waits++) await page.clock.runFor(10_000)
  await lost.waitFor()
  expect(await page.getByRole('link', { name: 'In the silence' }).count()).toBe(0)
  isSilent = false
  await page.clock.runFor(20_000)
  await lost.waitFor({ state: 'hidden' })
  await page.getByRole('link', { name: 'In the silence' }).waitFor()
  expect(await page.getByRole('link', { name: 'In the silence' }).count()).toBe(1)
})

test('a refused stream is shown with a way to try again', async () => {
  const page = await open(`${assay.url}/configuration/about`)
  let isRefused = true
  await page.routeWebSocket(/\/graphql$/, (client) => {
    const server = client.connectToServer()
    client.onMessage((message) => {
      const { type, id } = JSON.parse(String(message))
      if (!isRefused || type !== 'subscribe') return server.send(message)
      const errors = [{ message: 'Not for you', extensions: { code: 'FORBIDDEN' } }]
      client.send(JSON.stringify({ type: 'error', id, payload: errors }))
    })
  })
  await page.goto(`${assay.url}/executions`)
  await page.getByText('Updates do not arrive: Not for you').waitFor()
  isRefused = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.locator('.toasts').getByText('Updates do not arrive').waitFor({ state: 'detached' })
  await execute(assay, 'loan-schedule')
  await page.getByRole('link', { name: /loan/i }).nth(1).waitFor()
})
