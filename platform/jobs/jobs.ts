import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { type ConstructorOptions, type JobResult, PgBoss, type Queue } from 'pg-boss'
import { failureOf } from '../database/database-error.ts'
import { clientOf, named, writableServer } from '../database/database-servers.ts'
import type { Sql } from '../database/sql.ts'
import { currentTime } from '../process/clock.ts'
import { GracePeriod } from '../process/grace-period.ts'
import type { Logger } from '../process/logger.ts'
import { currentIds, inSpan, inTrace, type RequestIds } from '../tracing/trace.ts'
import { atTimes } from './at-times.ts'
import { BossClient, bossDatabase } from './boss-statements.ts'
import { CronTimes } from './cron.ts'
import { IdleWorkers } from './idle-workers.ts'
import type { Job } from './job.ts'
import { OLDEST_JOBS } from './job-statements.ts'

export interface EnqueueOptions {
  /** Not before this time. */
  startAfter?: Date
  /** Jobs that share a resource, such as a receiver: see `perGroup`. */
  group?: string
}

export interface WorkOptions {
  /** Maximum number of jobs of one group at a time, over all processes; other groups are not held up. */
  perGroup?: number
  /** Batch size of a slot, which then lets jobs gather for `BATCH_PAUSE_MS`. 1 if absent. */
  batchSize?: number
}

export interface Jobs {
  /**
   * Enqueues inside the transaction of `sql`: the job exists exactly if that transaction commits. It takes the ids of request
   * and trace along.
   */
  enqueue(sql: Sql, queue: string, data: object, options?: EnqueueOptions): Promise<void>
  /** As `enqueue`, several jobs in one statement. */
  enqueueAll(sql: Sql, queue: string, data: readonly object[]): Promise<void>
  /** Creates the queue if needed and serves it with `slots` handlers at a time. */
  work<Data extends object>(
    queue: Queue,
    slots: number,
    handle: (job: Job<Data>) => Promise<void>,
    options?: WorkOptions,
  ): Promise<void>
  declare(queue: Queue): Promise<void>
  /**
   * Runs something whenever a cron expression (UTC) says so: once, whichever and how many processes serve it.
   * A changed expression replaces the one before.
   */
  schedule(queue: Queue, cron: string, handle: (job: Job<object>) => Promise<void>): Promise<void>
  /** Numbers of jobs that are ready, run, and have failed, by queue; a few seconds old. */
  sizes(): Promise<{ queue: string; ready: number; active: number; failed: number }[]>
  /** For how many seconds the oldest job that is due has waited, by queue. */
  ages(): Promise<{ queue: string; seconds: number }[]>
  /** True if the database of the jobs answers. */
  isUp(): Promise<boolean>
  /** Time of that database's clock. */
  databaseTime(): Promise<Date>
  /** Takes no more jobs and waits for the running ones, which it aborts after the grace period. */
  stop(grace?: GracePeriod): Promise<void>
}

/** Heartbeats end a lease after this time; the least that pg-boss allows. */
export const HEARTBEAT_SECONDS = 10
/** An accepted job waits for a worker this long. By default pg-boss deletes a job that no worker takes for 14 days. */
export const WAIT_SECONDS = 10 * 365 * 24 * 3_600
const SUPERVISE_SECONDS = 2
/** One job for all processes: the shortest time between two runs of a cron expression. */
const MINUTE_SECONDS = 60
const BATCH_PAUSE_MS = 100
/** Jobs that are due later have no notification: one worker of a queue looks for them so often. */
const LOOK_SECONDS = 1
/** Jobs of schedules are due at once. */
const SELDOM_SECONDS = 30
/** Interval between log lines about an outage of the database: each worker of a queue meets it every second. */
const OUTAGE_LOG_MS = 60_000

/** pg-boss on the given database. A worker that dies is noticed by its missing heartbeat. */
export async function startJobs(
  url: string,
  log: Logger,
  now: () => Date = currentTime,
): Promise<Jobs> {
  const settings: ConstructorOptions & pg.PoolConfig = {
    connectionString: named(await writableServer(url), 'jobs'),
    Client: clientOf(url, BossClient),
    max: 6,
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
  }
  const boss = new PgBoss(settings)
  const jobs = new BossJobs(boss, log, now)
  await boss.start()
  return jobs
}

class BossJobs implements Jobs {
  private readonly boss: PgBoss
  private readonly log: Logger
  private readonly now: () => Date
  private readonly idle: IdleWorkers
  private readonly db: ReturnType<PgBoss['getDb']>
  private readonly schedules: (() => void)[] = []
  private stopping: Promise<void> | undefined
  private outageLoggedAt = Number.NEGATIVE_INFINITY

  constructor(boss: PgBoss, log: Logger, now: () => Date) {
    this.boss = boss
    this.log = log
    this.now = now
    const idle = new IdleWorkers((worker) => boss.notifyWorker(worker))
    // A notification of the queue reaches one worker instead of all.
    const db = boss.getDb()
    const listen = db.listen?.bind(db)
    db.listen = listen && ((channel, _wakeAll, onGap) => listen(channel, idle.wake, onGap))
    this.idle = idle
    this.db = db
    boss.on('error', (error) => this.logError(error))
  }

  async declare(queue: Queue): Promise<void> {
    const settings = { notify: true, ...queue }
    await this.boss.createQueue(queue.name, settings)
    const { name, policy: _, partition: __, ...changeable } = settings
    await this.boss.updateQueue(name, changeable)
  }

  async enqueue(
    sql: Sql,
    queue: string,
    data: object,
    { startAfter, group }: EnqueueOptions = {},
  ): Promise<void> {
    await inSpan(`enqueue ${queue}`, { kind: 'producer' }, async () => {
      await this.boss.send(queue, withIds(data), {
        db: bossDatabase(sql),
        ...(startAfter && { startAfter }),
        ...(group && { group: { id: group } }),
      })
    })
  }

  async enqueueAll(sql: Sql, queue: string, data: readonly object[]): Promise<void> {
    if (data.length === 0) return
    await inSpan(`enqueue ${queue}`, { kind: 'producer' }, async () => {
      const jobs = data.map((each) => ({ data: withIds(each) }))
      await this.boss.insert(queue, jobs, { db: bossDatabase(sql) })
    })
  }

  async work<Data extends object>(
    queue: Queue,
    slots: number,
    handle: (job: Job<Data>) => Promise<void>,
    options?: WorkOptions,
  ): Promise<void> {
    await this.declare(queue)
    // One that finds a job by looking wakes the next, so the others look less often.
    for (let slot = 0; slot < slots; slot++)
      await this.workOne(queue.name, handle, slot === 0 ? LOOK_SECONDS : slots, options)
  }

  async schedule(
    queue: Queue,
    cron: string,
    handle: (job: Job<object>) => Promise<void>,
  ): Promise<void> {
    const { boss, log } = this
    const { name } = queue
    await this.declare(queue)
    await this.workOne(name, handle, SELDOM_SECONDS)
    // Versions before let pg-boss keep it.
    await boss.unschedule(name)
    const enqueue = () =>
      boss.send(name, {}, { singletonSeconds: MINUTE_SECONDS }).catch((error: unknown) => {
        if (!this.stopping) log.warn({ err: error, queue: name }, 'A scheduled job was missed')
      })
    this.schedules.push(atTimes(new CronTimes(cron), enqueue, this.now))
  }

  async sizes(): ReturnType<Jobs['sizes']> {
    const queues = await this.ownQueues()
    return queues.map(({ name, readyCount, activeCount, failedCount }) => ({
      queue: name,
      ready: readyCount,
      active: activeCount,
      failed: failedCount,
    }))
  }

  async ages(): ReturnType<Jobs['ages']> {
    const queues = await this.ownQueues()
    const { rows } = (await this.db.executeSql(OLDEST_JOBS)) as {
      rows: { queue: string; seconds: number }[]
    } // its columns
    const seconds = new Map(rows.map((row) => [row.queue, row.seconds]))
    return queues.map(({ name }) => ({ queue: name, seconds: seconds.get(name) ?? 0 }))
  }

  async isUp(): Promise<boolean> {
    if (this.stopping) return false
    await this.db.executeSql('select 1')
    return true
  }

  async databaseTime(): Promise<Date> {
    const { rows } = await this.db.executeSql('select clock_timestamp() as time')
    return (rows[0] as { time: Date }).time // its column
  }

  stop(grace = new GracePeriod()): Promise<void> {
    for (const end of this.schedules) end()
    this.stopping ??= this.boss.stop({ graceful: true, close: true, timeout: grace.leftMs() })
    return this.stopping
  }

  private async ownQueues() {
    const queues = await this.boss.getQueues()
    return queues.filter(({ name }) => !name.startsWith('__pgboss'))
  }

  private logError(error: Error): void {
    // Errors of connections that close during a stop are expected.
    if (this.stopping) return
    if (failureOf(error) !== 'transient') {
      this.log.error({ err: error }, 'The job queue reports an error')
    } else if (performance.now() - this.outageLoggedAt > OUTAGE_LOG_MS) {
      this.outageLoggedAt = performance.now()
      this.log.warn({ reason: error.message }, 'The database does not answer the job queue')
    }
  }

  /**
   * One pg-boss worker for each job that may run at a time. pg-boss forgets a wake-up that reaches a busy worker, so each
   * looks again as soon as it is free, and polls besides.
   */
  private async workOne<Data extends object>(
    queue: string,
    handle: (job: Job<Data>) => Promise<void>,
    lookSeconds: number,
    { perGroup, batchSize = 1 }: WorkOptions = {},
  ): Promise<void> {
    const { boss, idle } = this
    const worker: string = await boss.work<Data>(
      queue,
      {
        batchSize,
        perJobResults: true,
        pollingIntervalSeconds: 0.5,
        notifyPollingIntervalSeconds: lookSeconds,
        ...(perGroup && { groupConcurrency: perGroup }),
      },
      async (jobs) => {
        idle.remove(queue, worker)
        idle.wake(queue)
        try {
          const results = await Promise.all(jobs.map((job) => this.handled(queue, job, handle)))
          if (batchSize > 1) await delay(BATCH_PAUSE_MS)
          return results
        } finally {
          idle.add(queue, worker)
          boss.notifyWorker(worker)
        }
      },
    )
    idle.add(queue, worker)
  }

  private async handled<Data extends object>(
    queue: string,
    job: Job<Data>,
    handle: (job: Job<Data>) => Promise<void>,
  ): Promise<JobResult> {
    const ids: RequestIds = job.data ?? {} // a scheduled job has none
    const { requestId } = ids
    try {
      await inTrace(ids, () => inSpan(`run ${queue}`, { kind: 'consumer' }, () => handle(job)))
      return { id: job.id, status: 'completed' }
    } catch (error) {
      const { log } = this
      const facts = { queue, jobId: job.id, requestId }
      if (this.stopping && job.signal.aborted) log.info(facts, 'Job aborted by the stop')
      else if (error instanceof Error && failureOf(error) === 'transient')
        log.warn(
          { reason: error.message, ...facts },
          'Job interrupted: the database did not answer',
        )
      else log.error({ err: error, ...facts }, 'A job failed')
      return { id: job.id, status: 'failed', output: error }
    }
  }
}

/** A job belongs to the request of the work that enqueues it. */
const withIds = (data: object): object => ({ ...currentIds(), ...data })
