import { readUntil } from '../conformance/calls.ts'
import { type ExecutionResult, encoded } from '../conformance/executions.ts'
import { checkAgainst } from '../conformance/row.ts'
import { type Assay, addressOf, ENTRY, startAssay } from '../support/assay.ts'
import { createDatabase, type TestDatabase, withoutDatabase } from '../support/database.ts'
import { createSlowScenario } from '../support/e2e/scenarios.ts'
import { productKeys } from '../support/product-keys.ts'
import { type ProductProcess, spawnProduct } from '../support/product-process.ts'

/** Two processes that clients reach, over one database. */
let database: TestDatabase
let assay: Assay
let second: ProductProcess
let urls: string[]
beforeAll(async () => {
  database = await createDatabase()
  assay = await startAssay({
    env: {
      DATABASE_URL: database.url,
      ...productKeys(),
    },
  })
  checkAgainst(assay.url)
  const name = assay.parts.gateway
  second = spawnProduct(name, ENTRY[name], { ...assay.env, PORT: '0' }, process.cwd())
  urls = [assay.url, (await addressOf(second)) ?? '']
})
afterAll(async () => {
  second?.signal('SIGTERM')
  expect(await second?.exited).toEqual({ code: 0, signal: null })
  await assay?.stop()
  await database?.drop()
})

const CREDENTIALS = { credentials: encoded('tester', 'secret') }

const run = async (url: string, id: string): Promise<ExecutionResult> => {
  const path = `/api/testcase/${id}/execute?synchron=true`
  const response = await fetch(url + path, { method: 'POST', headers: CREDENTIALS })
  return (await response.json()) as ExecutionResult
}

test('synchron=true is answered at every gateway, whichever process runs the scenario', async () => {
  const id = await createSlowScenario(500)
  const results = await Promise.all([...urls, ...urls, ...urls].map((url) => run(url, id)))
  expect(results.map(({ state }) => state)).toEqual(results.map(() => 'COMPLETED'))
  expect(new Set(results.map((result) => result.id)).size).toBe(results.length)
  // Each of them knows what the other one began.
  for (const { id: resultId } of results)
    for (const url of urls) expect((await fetch(`${url}/api/result/${resultId}`)).status).toBe(200)
})

test('what is ended at one gateway is answered at the other', async () => {
  const id = await createSlowScenario(60_000)
  const [one = '', other = ''] = urls
  const waiting = run(one, id)
  const ask = async (query: string) => {
    const response = await fetch(`${other}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const { data } = (await response.json()) as {
      data: { executionResults: { nodes: { id: string }[] } }
    }
    return data
  }
  const LIST = `{ executionResults(filter: { contextId: "${id}" }) { nodes { id } } }`
  const { executionResults } = await readUntil(
    () => ask(LIST),
    ({ executionResults: { nodes } }) => nodes.length === 1,
  )
  await ask(
    `mutation { cancelExecution(input: { id: "${executionResults.nodes[0]?.id}" }) { id } }`,
  )
  expect(await waiting).toMatchObject({ state: 'ERROR', message: 'Cancelled by anonymous' })
})

test('a gateway is not ready while the database is away', async () => {
  const statuses = () => Promise.all(urls.map(async (url) => (await fetch(`${url}/readyz`)).status))
  await readUntil(statuses, (seen) => seen.every((status) => status === 200))
  await withoutDatabase(database.url, async () => {
    await readUntil(statuses, (seen) => seen.every((status) => status === 503))
    expect((await fetch(`${assay.url}/healthz`)).status).toBe(200)
  })
  await readUntil(statuses, (seen) => seen.every((status) => status === 200))
})
