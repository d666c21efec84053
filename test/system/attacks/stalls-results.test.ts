import { setTimeout as delay } from 'node:timers/promises'
import { startTarget, withstands } from '../../support/attacks/target.ts'
import { testStalls } from '../../support/attacks/test-stalls.ts'
import { startCollector } from '../../support/collector.ts'
import { ADMIN, ADMIN_PASSWORD, basic, Client } from '../../support/e2e/users.ts'
import { send } from './send.ts'
import { RESULT_STALLS, store } from './stall-corpus-results.ts'

const signedIn = basic(ADMIN, ADMIN_PASSWORD)
const run = (query: string, variables = {}) =>
  new Client(target().url).run(query, signedIn, variables)
const execute = async (id: string, callbackUrl?: string): Promise<string> => {
  const input = { contextId: id, wait: true, ...(callbackUrl && { callbackUrl }) }
  return (await run(EXECUTE, { input })).execute.id
}

const EXECUTE = 'mutation ($input: ExecuteInput!) { execute(input: $input) { id } }'
/** In a product of its own: what one attack leaves in memory until it is collected would count as the other's. */
test('four executions that each read a megabyte 100 times at once', async () => {
  const megabyte = JSON.stringify({ items: Array(100_000).fill('a text') })
  const collector = await startCollector((response) => void response.end(megabyte))
  const requests = Array.from({ length: 100 }, (_, at) => ({
    id: `r${at}`,
    http: { url: collector.url },
  }))
  const steps = [{ id: 'all', parallel: { maxParallel: 100, steps: requests } }]
  const alone = await startTarget()
  try {
    await store(alone.url, { id: 'downloads', steps })
    const input = { contextId: 'downloads', wait: true }
    const client = new Client(alone.url)
    await withstands(alone, '400 answers of a megabyte', () =>
      Promise.all(Array.from({ length: 4 }, () => client.run(EXECUTE, signedIn, { input }))),
    )
    expect(collector.requests.length).toBeGreaterThanOrEqual(400)
  } finally {
    await alone.stop()
    await collector.stop()
  }
})

const target = testStalls(RESULT_STALLS, { COMMAND_STEPS: 'on' })

const CREATE_SUITE = 'mutation ($input: CreateSuiteInput!) { createSuite(input: $input) { id } }'
const DELIVERIES = '{ callbackDeliveries(first: 10) { nodes { id state } } }'
const REDELIVER = 'mutation ($id: ID!) { redeliverCallback(input: { id: $id }) { id } }'

const SUITE = {
  ...{ id: 'twenty-thousand', name: 'Twenty thousand tests', maxParallel: 4 },
  testCases: ['reported', 'reported'],
}

test('a suite that has reported 20 000 tests, and two callbacks about it at a time', async () => {
  const collector = await startCollector()
  const deliveries = async (): Promise<{ id: string; state: string }[]> =>
    (await run(DELIVERIES)).callbackDeliveries.nodes
  const delivered = async (count: number) => {
    await collector.received(count)
    while ((await deliveries()).some(({ state }) => state === 'PENDING')) await delay(20)
  }
  await run(CREATE_SUITE, { input: SUITE })
  const [id] = [await execute(SUITE.id, collector.url), await execute(SUITE.id, collector.url)]
  await delivered(2)

  await withstands(target(), 'its simple result', async () =>
    expect(
      await send(target().url, { method: 'GET', path: `/api/result/${id}`, headers: signedIn }),
    ).toMatchObject({ status: 200 }),
  )
  await withstands(target(), 'two callbacks', async () => {
    const before = collector.requests.length
    for (const { id } of await deliveries()) await run(REDELIVER, { id })
    await delivered(before + 2)
  })
  await collector.stop()
})

test('a stream of all changes of state, each with all steps of its execution', async () => {
  const { executionResults } = await run('{ executionResults { totalCount } }')
  const query =
    'subscription { executionStateChanged(after: "") { execution { state steps { name message } codeCoverage { sourceCode } } } }'
  await withstands(target(), 'all changes of state', async () => {
    const response = await fetch(`${target().url}/graphql`, {
      method: 'POST',
      headers: { ...signedIn, accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    let changes = 0
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      expect(piece).not.toContain('"errors"')
      changes += piece.split('event: next').length - 1
      if (changes >= 2 * executionResults.totalCount) break
    }
  })
})

test('a program that forks without end', async () => {
  const command = { program: 'perl', args: ['-e', '1 while defined fork; sleep 60'] }
  await store(target().url, { id: 'forks', steps: [{ id: 'bomb', timeoutMs: 2_000, command }] })
  await withstands(target(), 'a fork bomb', () => execute('forks'))
})
