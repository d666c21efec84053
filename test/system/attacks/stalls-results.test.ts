import { setTimeout as delay } from 'node:timers/promises'
import { startCollector } from '../../_support/collector.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../e2e/_support/users.ts'
import { startTarget, withstands } from './_support/target.ts'
import { send } from './send.ts'
import { RESULT_STALLS } from './stall-corpus-results.ts'

let target: Awaited<ReturnType<typeof startTarget>>

beforeAll(async () => {
  target = await startTarget({ COMMAND_STEPS: 'on' })
}, 60_000)

afterAll(() => target?.stop(), 60_000)

test.each(RESULT_STALLS)(
  '$name',
  async ({ name, before, request, status }) => {
    await before?.(target.url)
    await withstands(target, name, async () =>
      expect(await send(target.url, request())).toMatchObject({ status }),
    )
  },
  240_000,
)

const MEMBERS = 3
const SUITE = { id: 'thirty-thousand', name: 'Thirty thousand tests', maxParallel: 4 }
const CREATE_SUITE = 'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'
const EXECUTE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { id errorCode } }'
const DELIVERIES = '{ callbackDeliveries(first: 10) { nodes { id state } } }'
const REDELIVER = 'mutation ($id: ID!) { redeliverCallback(input: { id: $id }) { id } }'

test('a suite that has reported 30 000 tests, and two callbacks about it at a time', async () => {
  const signedIn = basic(ADMIN, ADMIN_PASSWORD)
  const client = new Client(target.url)
  const run = (query: string, variables = {}) => client.run(query, signedIn, variables)
  const collector = await startCollector()
  const deliveries = async (): Promise<{ id: string; state: string }[]> =>
    (await run(DELIVERIES)).callbackDeliveries.nodes
  const delivered = async (count: number) => {
    await collector.received(count)
    while ((await deliveries()).some(({ state }) => state === 'PENDING')) await delay(20)
  }
  await run(CREATE_SUITE, { input: { ...SUITE, testCases: Array(MEMBERS).fill('reported') } })
  const input = { contextId: SUITE.id, callbackUrl: collector.url, wait: true }
  const [{ execute }] = [await run(EXECUTE, { input }), await run(EXECUTE, { input })]
  expect(execute.errorCode).toBe(null)
  await delivered(2)

  const path = `/api/result/${execute.id}`
  await withstands(target, 'its simple result', async () =>
    expect(await send(target.url, { method: 'GET', path, headers: signedIn })).toMatchObject({
      status: 200,
    }),
  )
  await withstands(target, 'two callbacks', async () => {
    const before = collector.requests.length
    for (const { id } of await deliveries()) await run(REDELIVER, { id })
    await delivered(before + 2)
  })
  await collector.stop()
}, 240_000)
