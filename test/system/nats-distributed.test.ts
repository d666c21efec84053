import type { Client } from 'graphql-ws'
import { createLogger } from '../../platform/process/logger.ts'
import { startPubSub } from '../../platform/pub-sub/start.ts'
import { checkAgainst } from '../conformance/row.ts'
import { type Assay, startAssay } from '../support/assay.ts'
import { collect, connect, type Update, watch } from '../support/e2e/graph.ts'
import { createSlowScenario, start } from '../support/e2e/scenarios.ts'
import { eventually } from '../support/eventually.ts'
import { type NatsServer, startNatsServer } from '../support/system/nats-server.ts'

let nats: NatsServer
let assay: Assay
let client: Client

beforeAll(async () => {
  nats = await startNatsServer()
  assay = await startAssay({ mode: 'distributed', env: { NATS_URL: nats.url } })
  checkAgainst(assay.url)
  client = connect()
})

afterAll(async () => {
  await client.dispose()
  await assay.stop()
  await nats.stop()
})

const EVERY_STEP = ['answer', 'pause', 'end'].flatMap((id) => [`${id} RUNNING`, `${id} COMPLETED`])
const stepsOf = (updates: Update[]) =>
  updates.flatMap(({ step }) => (step ? [`${step.id} ${step.state}`] : []))

test('a watcher sees every update of an asynchronous execution, and the worker tells of them over NATS', async () => {
  const log = createLogger('error')
  const listener = await startPubSub({ natsUrl: nats.url, directUrl: '' }, log)
  const heard: (string | null)[] = []
  listener.subscribe('execution-changed', (message) => heard.push(message))

  const { id } = await start(await createSlowScenario(300))
  const updates = await collect(watch(client, id, ''))
  expect(stepsOf(updates)).toEqual(EVERY_STEP)
  expect(updates.at(-1)?.execution.state).toBe('COMPLETED')

  await eventually(async () => expect(heard).toContain(id))
  await listener.stop()
})

test('a watcher misses nothing while NATS is away', async () => {
  const { id } = await start(await createSlowScenario(1_500))
  const [updates] = await Promise.all([collect(watch(client, id, '')), nats.restart()])
  expect(stepsOf(updates)).toEqual(EVERY_STEP)
  expect(updates.at(-1)?.execution.state).toBe('COMPLETED')
})
