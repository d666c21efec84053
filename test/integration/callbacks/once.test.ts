import { pino } from 'pino'
import { startOrm } from '../../../platform/database/orm.ts'
import { EXECUTION_ENDED } from '../../../platform/jobs/execution-ended.ts'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import { createSecrets } from '../../../platform/secrets.ts'
import {
  CALLBACK,
  type CallbackJob,
  LOST_CALLBACKS,
} from '../../../subgraphs/test-execution/callbacks/callback.queue.ts'
import { CallbackDeliveryEntity } from '../../../subgraphs/test-execution/callbacks/callback-delivery.entity.ts'
import { ExecutionRepository } from '../../../subgraphs/test-execution/executions/execution.repository.ts'
import type { Ending } from '../../../subgraphs/test-execution/executions/execution.ts'
import { STORAGE } from '../../../subgraphs/test-execution/index.ts'
import { type Collector, startCollector } from '../../support/collector.ts'
import { type RunningExecutions, runExecutions } from '../../support/running-executions.ts'

let executions: RunningExecutions
let collector: Collector
beforeEach(async () => {
  executions = await runExecutions([20])
  collector = await startCollector()
})
afterEach(async () => {
  await executions.stop()
  await collector.stop()
})

const OTHER_KEY = Buffer.alloc(32, 'other').toString('base64')

const ENDING: Ending = {
  state: 'COMPLETED',
  message: '',
  errorCode: null,
  steps: [],
  validationFailures: [],
  codeCoverage: [],
}

/** Acts as a worker that dies right after the end of its execution. */
async function endAndDie(id: string): Promise<void> {
  const log = pino({ level: 'silent' })
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  const jobs = await startJobs(executions.databaseUrl, log)
  try {
    await jobs.declare(EXECUTION_ENDED)
    const repository = new ExecutionRepository(orm.em, jobs)
    const { execution } = (await repository.claim([id], 1)).get(id) ?? {}
    if (!execution) throw new Error('The execution was taken already')
    const end = { execution, ending: ENDING, ended: new Date(), updates: [] }
    const finish = () => repository.finish(null, [end])
    expect(await Promise.all([finish(), finish()])).toContainEqual([])
  } finally {
    await jobs.stop()
    await orm.close()
  }
}

test('a worker that dies between the end and the callback leaves one delivery, and another worker makes it', async () => {
  const id = await executions.execute(collector.url)
  await endAndDie(id)
  const pending = await executions.delivery(id, () => true)
  expect(pending).toMatchObject({ state: 'PENDING', attempts: [] })
  await executions.startWorker()
  await executions.delivery(id, ({ state }) => state === 'DELIVERED')
  expect(collector.requests).toHaveLength(1)
})

test('a URL that no key opens is a failed attempt, and is delivered again once a key does', async () => {
  const id = await executions.execute(`${collector.url}/hook?key=1`)
  await endAndDie(id)
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  const stored = orm.em.fork()
  const row = await stored.findOneOrFail(CallbackDeliveryEntity, { executionId: id })
  const { sealedUrl } = row
  row.sealedUrl = createSecrets({ secretsKey: OTHER_KEY }).seal(`${collector.url}/hook?key=1`)
  await stored.flush()
  await executions.startWorker()
  const dead = await executions.delivery(id, ({ state }) => state === 'DEAD')
  const attempt = { status: null, error: expect.stringContaining('SECRETS_KEY of the worker') }
  expect(dead).toMatchObject({ url: `${collector.url}/***`, attempts: [attempt, attempt] })
  expect(executions.logged()).toContain('A stored secret was sealed with the key')
  expect(collector.requests).toEqual([])

  await stored.nativeUpdate(CallbackDeliveryEntity, { executionId: id }, { sealedUrl })
  await orm.close()
  await executions.run(`mutation { redeliverCallback(input: { id: "${dead.id}" }) { id } }`)
  await executions.delivery(id, ({ state }) => state === 'DELIVERED')
  expect(collector.requests).toMatchObject([{ path: '/hook?key=1' }])
})

test('a delivery without a job is dead, and can be delivered again', async () => {
  const [deleted, failed, waiting] = await Promise.all(
    ['/deleted', '/failed', '/waiting'].map((path) => executions.execute(collector.url + path)),
  )
  if (!deleted || !failed || !waiting) throw new Error('As many as paths')
  for (const id of [deleted, failed, waiting]) await endAndDie(id)
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  const jobs = await startJobs(executions.databaseUrl, pino({ level: 'silent' }))
  const em = orm.em.fork()
  const job = (id: string) =>
    `pgboss.job where name = 'callback' and data ->> 'executionId' = '${id}'`
  await em.execute(`delete from ${job(deleted)}`)
  await em.execute(`update ${job(failed).replace('where', `set state = 'failed' where`)}`)
  await em.execute(
    `update ${job(waiting).replace('where', `set start_after = now() + interval '1 day' where`)}`,
  )
  await executions.startWorker()
  await em.transactional((own) => jobs.enqueue(own, LOST_CALLBACKS.name, {}))
  const lost = { status: null, error: expect.stringContaining('lost its job') }
  for (const id of [deleted, failed]) {
    const dead = await executions.delivery(id, ({ state }) => state !== 'PENDING')
    expect(dead).toMatchObject({ state: 'DEAD', nextAttemptAt: null, attempts: [lost] })
  }
  expect(await executions.delivery(waiting, () => true)).toMatchObject({ state: 'PENDING' })
  await jobs.stop()
  await orm.close()
  const { id } = await executions.delivery(deleted, () => true)
  await executions.run(`mutation { redeliverCallback(input: { id: "${id}" }) { id } }`)
  await executions.delivery(deleted, ({ state }) => state === 'DELIVERED')
  expect(collector.requests).toMatchObject([{ path: '/deleted' }])
})

test('a job that comes twice posts once', async () => {
  await executions.startWorker()
  const id = await executions.execute(collector.url)
  const { id: deliveryId } = await executions.delivery(id, ({ state }) => state === 'DELIVERED')
  const orm = await startOrm({ url: executions.databaseUrl, ...STORAGE })
  const jobs = await startJobs(executions.databaseUrl, pino({ level: 'silent' }))
  for (const attempt of [1, 1, 2])
    await orm.em.fork().transactional((em) =>
      jobs.enqueue(em, CALLBACK.name, {
        executionId: id,
        deliveryId,
        attempt,
      } satisfies CallbackJob),
    )
  for (let left = 1; left > 0; ) {
    const [row] = await orm.em
      .fork()
      .execute<{ n: number }[]>(
        `select count(*)::int as n from pgboss.job where name = 'callback' and state < 'completed'`,
      )
    left = row?.n ?? 0
  }
  await jobs.stop()
  await orm.close()
  expect(collector.requests).toHaveLength(1)
  expect(await executions.delivery(id, () => true)).toMatchObject({ attempts: [{ status: 204 }] })
})
