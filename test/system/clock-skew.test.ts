import { encoded } from '../conformance/executions.ts'
import { type Assay, addressOf, ENTRY, type ProcessName, startAssay } from '../support/assay.ts'
import { type Collector, startCollector } from '../support/collector.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client, USERS_ENV } from '../support/e2e/users.ts'
import { type ProductProcess, spawnProduct } from '../support/product-process.ts'
import { clockAhead } from '../support/system/fake-time.ts'

const FIVE_MINUTES = 300
const SIGN_IN = basic(ADMIN, ADMIN_PASSWORD)
/** Difference between machines that set their time from the same source, and a loaded machine. */
const EQUAL_MS = 60_000

let assay: Assay
let receiver: Collector
const started: ProductProcess[] = []

beforeAll(async () => {
  const env = { ...USERS_ENV, OUTBOUND_ALLOW: '127.0.0.0/8' }
  receiver = await startCollector()
  assay = await startAssay({ mode: 'distributed', env })
})
afterAll(async () => {
  await receiver?.stop()
  for (const process of started) process.signal('SIGTERM')
  await Promise.all(started.map(({ exited }) => exited))
  await assay?.stop()
})

/** Another process of the installation, whose clock is wrong. */
async function startAhead(name: ProcessName, seconds: number, env: Record<string, string> = {}) {
  const given = { ...assay.env, PORT: '0', ...clockAhead(seconds), ...env }
  const process = spawnProduct(name, ENTRY[name], given, '/tmp')
  started.push(process)
  return { process, url: (await addressOf(process)) ?? '' }
}

test('clocks that differ by five minutes do no harm, and are logged', async () => {
  const events = await startAhead('events', FIVE_MINUTES)
  const accounts = await startAhead('accounts', -FIVE_MINUTES)
  const addresses = { EVENTS_URL: events.url, ACCOUNTS_URL: accounts.url }
  const gateway = await startAhead('gateway', FIVE_MINUTES, addresses)
  const worker = await startAhead('worker', -FIVE_MINUTES)
  await assay.kill('worker', 'SIGTERM')
  const client = new Client(gateway.url)

  const begun = Date.now()
  const isNow = (time: string | number) => {
    const ms = new Date(time).getTime()
    return ms > begun - EQUAL_MS && ms < Date.now() + EQUAL_MS
  }
  const event = { title: 'skewed', fingerprintFields: ['@title'] }
  expect((await client.rest('POST', '/v1/events', SIGN_IN, event)).status).toBe(202)
  const { token } = (await client.run('mutation { authenticate { token } }', SIGN_IN))
    .authenticate as { token: string }
  const { events: found } = await client.run('{ events { nodes { lastSeenAt } } }', { token })
  expect(found.nodes.map(({ lastSeenAt }: { lastSeenAt: string }) => isNow(lastSeenAt))).toEqual([
    true,
  ])

  // A stream ends with its token: not sooner by the clock of the gateway.
  const second = await client.overSocket(
    { token },
    'subscription { eventReceived(after: "") { cursor } }',
  )
  expect(second.data.eventReceived.cursor).toEqual(expect.any(String))

  const callbackUrl = encodeURIComponent(receiver.url)
  const path = `/testcase/loan-schedule/execute?callbackUrl=${callbackUrl}`
  const credentials = { ...SIGN_IN, credentials: encoded('ci', 'secret') }
  expect((await client.rest('POST', path, credentials)).status).toBe(200)
  const [callback] = await receiver.received(1)
  const signedAt = Number(callback?.headers['webhook-timestamp']) * 1_000
  expect(isNow(signedAt)).toBe(true)
  const { started: startedAt, ended } = JSON.parse(callback?.body ?? '{}')
  expect([startedAt, ended].map((time: string) => isNow(time))).toEqual([true, true])

  for (const each of [events, accounts, worker])
    await each.process.says(
      /"differenceSeconds":-?(29\d|30\d)[^\n]*Clock differs from that of the database/,
    )
  await events.process.says(/"differenceSeconds":(29\d|30\d)[^\n]*Clock of a gateway differs/)
})

test.each([
  ['whose clock differs too much', 2 * FIVE_MINUTES, {}, /set the time of both machines/],
  [
    'with another INTERNAL_SECRET',
    0,
    { INTERNAL_SECRET: 'another secret of enough letters' },
    /another INTERNAL_SECRET/,
  ],
])('a gateway %s answers 502 with the reason', async (_, behind, env, reason) => {
  const { url } = await startAhead('gateway', -behind, { ...env, AUTH_MODE: 'none' })
  const client = new Client(url)
  const { status, body } = await client.rest('GET', '/testcase')
  expect({ status, code: body.code }).toEqual({ status: 502, code: 'DOWNSTREAM_REFUSED' })
  expect(body.message).toMatch(reason)
  const signedIn = new Client((await startAhead('gateway', -behind, env)).url)
  expect(await signedIn.rest('GET', '/testcase', SIGN_IN)).toMatchObject({
    status: 502,
    body: { code: 'DOWNSTREAM_REFUSED', message: expect.stringMatching(reason) },
  })
})
