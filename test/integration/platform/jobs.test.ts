import { setTimeout as delay } from 'node:timers/promises'
import { MikroORM, PostgreSqlDriver } from '@mikro-orm/postgresql'
import pg from 'pg'
import { pino } from 'pino'
import { startJobs } from '../../../platform/jobs/jobs.ts'
import { GracePeriod } from '../../../platform/process/grace-period.ts'
import { Releasers } from '../../../platform/process/releasers.ts'
import { createDatabase } from '../../support/database.ts'
import { startFreezable } from '../../support/freezable.ts'

const releasers = new Releasers()
afterEach(() => releasers.release())

async function setUp(log = pino({ level: 'silent' })) {
  const { url: clientUrl, drop } = await createDatabase()
  releasers.defer(drop)
  const jobs = await startJobs(clientUrl, log)
  releasers.defer(() => jobs.stop())
  const orm = await MikroORM.init({
    driver: PostgreSqlDriver,
    clientUrl,
    entities: [],
    discovery: { warnWhenNoEntities: false },
  })
  releasers.defer(() => orm.close())
  return { jobs, orm }
}

test('jobs of a batch are handled together, and of them only the one that fails is tried again', async () => {
  const { jobs, orm } = await setUp()
  const queue = { name: 'letters', retryLimit: 1, retryDelay: 0 }
  await jobs.declare(queue)
  await orm.em.fork().transactional(async (em) => {
    for (const letter of 'abc') await jobs.enqueue(em, queue.name, { letter })
  })

  const handled: string[] = []
  const all = Promise.withResolvers<void>()
  const again = Promise.withResolvers<void>()
  const handle = async ({ data, retryCount }: { data: { letter: string }; retryCount: number }) => {
    handled.push(`${data.letter}${retryCount}`)
    if (handled.length === 3) all.resolve()
    if (retryCount > 0) again.resolve()
    await all.promise // each waits for the others
    if (data.letter === 'b' && retryCount === 0) throw new Error('not yet')
  }
  await jobs.work(queue, 1, handle, { batchSize: 10 })
  await again.promise
  await jobs.stop()
  expect(handled.toSorted()).toEqual(['a0', 'b0', 'b1', 'c0'])
})

test('of two processes that serve a schedule one runs it, and pg-boss keeps none beside it', async () => {
  const { url, drop } = await createDatabase()
  releasers.defer(drop)
  const clock = { now: Date.parse('2026-01-01T00:16:59.000Z') }
  const now = () => new Date(clock.now)
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  releasers.defer(() => pool.end())
  let ran = 0
  const done = Promise.withResolvers<void>()
  const processes = [1, 2].map(() => startJobs(url, pino({ level: 'silent' }), now))
  for (const starting of processes) {
    const jobs = await starting
    releasers.defer(() => jobs.stop())
    await jobs.declare({ name: 'nightly' })
    await pool.query(
      `insert into pgboss.schedule (name, key, cron) values ('nightly', '', '* * * * *') on conflict do nothing`,
    )
    await jobs.schedule({ name: 'nightly' }, '17 * * * *', async () => {
      ran++
      done.resolve()
    })
  }
  clock.now += 1_000
  await done.promise
  for (const starting of processes) await (await starting).stop()
  const { rows } = await pool.query(`select
    (select count(*)::int from pgboss.job where name = 'nightly') as jobs,
    (select count(*)::int from pgboss.schedule) as schedules`)
  expect({ ran, ...rows[0] }).toEqual({ ran: 1, jobs: 1, schedules: 0 })
})

test('jobs of one transaction begin at once on workers that wait, though one notification stands for all', async () => {
  const { jobs, orm } = await setUp()
  const SLOTS = 4
  const rounds: number[] = []
  let begun = 0
  let all = Promise.withResolvers<void>()
  await jobs.work({ name: 'letters' }, SLOTS, async () => {
    if (++begun === SLOTS) all.resolve()
    await all.promise
  })
  for (let round = 0; round < 5; round++) {
    begun = 0
    all = Promise.withResolvers<void>()
    await delay(100) // they wait again
    const began = performance.now()
    await orm.em.fork().transactional(async (em) => {
      for (let job = 0; job < SLOTS; job++) await jobs.enqueue(em, 'letters', { job })
    })
    await all.promise
    rounds.push(performance.now() - began)
  }
  // Looking without being told would take half a second on the average.
  expect(Math.min(...rounds)).toBeLessThan(150)
})

test('a stop aborts jobs that outlive its grace period, which is no fault', async () => {
  const lines: { level: number; msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const { jobs, orm } = await setUp(log)
  const begun = Promise.withResolvers<void>()
  await jobs.work({ name: 'letters' }, 1, async ({ signal }) => {
    begun.resolve()
    await delay(60_000, null, { signal })
  })
  await orm.em.fork().transactional((em) => jobs.enqueue(em, 'letters', {}))
  await begun.promise
  const began = performance.now()
  await jobs.stop(new GracePeriod(0))
  expect(performance.now() - began).toBeLessThan(10_000)
  while (lines.length === 0) await new Promise(setImmediate)
  expect(lines).toMatchObject([{ level: 30, msg: 'Job aborted by the stop' }])
})

test('a database that is away is one line of the log, however many workers look for jobs', async () => {
  const lines: { level: number; reason: string; msg: string }[] = []
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line)) })
  const { url, drop } = await createDatabase()
  releasers.defer(drop)
  const way = await startFreezable(url)
  releasers.defer(way.close)
  const jobs = await startJobs(way.url, log)
  releasers.defer(() => jobs.stop())
  await jobs.work({ name: 'letters' }, 4, async () => {})
  way.sever()
  await delay(3_000) // each worker looks about once a second
  way.thaw()
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    [40, 'The database does not answer the job queue'],
  ])
  expect(lines[0]?.reason).toMatch(/ECONNRESET|terminated/)
})
