import { v7 as uuidv7 } from 'uuid'
import type { Orm } from '../../../platform/database/orm.ts'
import { toRow } from '../../../platform/database/row.ts'
import { inTransaction, runSql, type Sql } from '../../../platform/database/sql.ts'
import type {
  DeliveryAttempt,
  DeliveryStateName,
  DeliveryStep,
} from '../../../platform/deliveries/delivery.ts'
import { openJobs } from '../../../platform/jobs/job-statements.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { readCounted } from '../../../platform/paging/counted-page.repository.ts'
import { type Connection, cursorOf, type Page } from '../../../platform/paging/page.ts'
import { isUuid } from '../read/uuid.ts'
import type { StoredGroup } from './group.repository.ts'
import type { Recipients } from './mail.ts'
import { NotificationEntity } from './notification.entity.ts'
import { NOTIFICATION, type NotificationJob } from './notification.queue.ts'
import type { NotificationBody } from './notification.ts'

/** A notification as far as its next attempt needs it. */
export interface DueNotification {
  id: string
  messageId: string
  groupId: string
  body: NotificationBody
}

/** A notification and what became of it. */
export interface StoredNotification extends DueNotification {
  ruleId: string
  channelId: string
  recipients: Recipients
  state: DeliveryStateName
  attempts: DeliveryAttempt[]
  earlierAttempts: number
  created: Date
  nextAttemptAt: Date | null
}

/** Those of a state, rule or channel; all where absent. */
export type NotificationQuery = Partial<
  Record<'state' | 'ruleId' | 'channelId', string | null | undefined>
>

/** Writes a notification and enqueues its first attempt, in the transaction that decides it. */
export async function insertNotification(
  sql: Sql,
  jobs: Jobs,
  { id: groupId, ruleId, channelId }: Pick<StoredGroup, 'id' | 'ruleId' | 'channelId'>,
  body: NotificationBody,
  now: Date,
): Promise<void> {
  const id = uuidv7()
  await runSql(sql, INSERT, [id, groupId, ruleId, channelId, JSON.stringify(body), now])
  await enqueue(sql, jobs, { id, channelId, attempt: 1, nextAttemptAt: null })
}

interface Enqueued {
  id: string
  channelId: string
  attempt: number
  nextAttemptAt: Date | null
}

/** Jobs of one channel form a group. */
const enqueue = (sql: Sql, jobs: Jobs, { id, channelId, attempt, nextAttemptAt }: Enqueued) =>
  jobs.enqueue(sql, NOTIFICATION.name, { notificationId: id, attempt } satisfies NotificationJob, {
    group: channelId,
    ...(nextAttemptAt && { startAfter: nextAttemptAt }),
  })

/** Reads notifications, and records their attempts: each and what follows from it are one transaction. */
export class NotificationRepository {
  constructor(
    private readonly orm: Orm,
    private readonly jobs: Jobs,
  ) {}

  async find(id: string): Promise<StoredNotification | null> {
    if (!isUuid(id)) return null
    const [row] = await runSql<object>(this.orm.em, FIND, [id])
    return row ? this.#toNotification(row) : null
  }

  /** The notification that a job is about, while the job's attempt is the one that is due. */
  async due({ notificationId, attempt }: NotificationJob): Promise<StoredNotification | null> {
    const found = await this.find(notificationId)
    return found?.state === 'PENDING' && found.attempts.length === attempt - 1 ? found : null
  }

  /** Newest first. */
  page(
    page: Page,
    { state, ruleId, channelId }: NotificationQuery,
  ): Promise<Connection<StoredNotification>> {
    const [from] = page.from ?? []
    const matching = [state ?? null, ruleId ?? null, channelId ?? null]
    const order = page.isBackward ? 'asc' : 'desc'
    const behind = page.isBackward ? '>' : '<'
    return readCounted(this.orm.em, page, async (em) => {
      const rows = await runSql<object>(
        em,
        `select * ${MATCHING} and ($4::uuid is null or id ${behind} $4) order by id ${order} limit $5`,
        [...matching, from ?? null, page.limit + 1],
      )
      return {
        rows: rows.map((row) => this.#toNotification(row)),
        cursorOf: ({ id }) => cursorOf(id),
        count: async () =>
          (
            await runSql<{ count: number }>(
              em,
              `select count(*)::int as count ${MATCHING}`,
              matching,
            )
          )[0]?.count ?? 0,
      }
    })
  }

  /** Writes an attempt down and enqueues the next one if there is one. @returns false when it was written before */
  record(
    { id, attempts, channelId }: StoredNotification,
    attempt: DeliveryAttempt,
    { state, nextAttemptAt }: DeliveryStep,
    settled: Recipients = {},
  ): Promise<boolean> {
    return inTransaction(
      this.orm.em,
      async (sql) => {
        const made = JSON.stringify([attempt])
        const values = [id, attempts.length, made, state, nextAttemptAt, JSON.stringify(settled)]
        if ((await runSql(sql, RECORD, values)).length === 0) return false
        if (state === 'PENDING')
          await enqueue(sql, this.jobs, {
            ...{ id, channelId, nextAttemptAt },
            attempt: attempts.length + 2,
          })
        return true
      },
      { isAudited: false },
    )
  }

  /** Begins the schedule anew. @returns false when it is pending */
  redeliver({ id, attempts, channelId }: StoredNotification, now: Date): Promise<boolean> {
    return inTransaction(this.orm.em, async (sql) => {
      if ((await runSql(sql, REDELIVER, [id, attempts.length, now])).length === 0) return false
      const attempt = attempts.length + 1
      await enqueue(sql, this.jobs, { id, channelId, attempt, nextAttemptAt: null })
      return true
    })
  }

  /** Number of those that are not delivered, by state. */
  async counts(): Promise<{ state: 'PENDING' | 'DEAD'; count: number }[]> {
    return runSql(this.orm.em, COUNT_LEFT)
  }

  /** Those that are pending without a job, at most 1 000. */
  async lost(): Promise<StoredNotification[]> {
    const rows = await runSql<object>(this.orm.em, FIND_LOST)
    return rows.map((row) => this.#toNotification(row))
  }

  #toNotification(row: object): StoredNotification {
    return toRow(this.orm.em, NotificationEntity, row)
  }
}

const INSERT = `
  insert into events.notification (id, message_id, group_id, rule_id, channel_id, body, recipients, state, attempts,
    attempt_count, earlier_attempts, created, next_attempt_at)
  values ($1, $1, $2, $3, $4, $5::jsonb, '{}', 'PENDING', '[]', 0, 0, $6, $6)`

const FIND = 'select * from events.notification where id = $1'

const MATCHING = `
  from events.notification where ($1::text is null or state = $1) and ($2::text is null or rule_id = $2)
    and ($3::text is null or channel_id = $3)`

const RECORD = `
  update events.notification set attempts = attempts || $3::jsonb, attempt_count = attempt_count + 1,
    state = $4, next_attempt_at = $5, recipients = recipients || $6::jsonb
  where id = $1 and attempt_count = $2 and state = 'PENDING' returning id`

const REDELIVER = `
  update events.notification set state = 'PENDING', next_attempt_at = $3, earlier_attempts = attempt_count,
    recipients = case state when 'DELIVERED' then '{}' else (
      select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each_text(recipients) where value = 'taken') end
  where id = $1 and attempt_count = $2 and state <> 'PENDING' returning id`

const COUNT_LEFT = `
  select word.state, count(sent.id)::int as count from (values ('PENDING'), ('DEAD')) as word (state)
  left join events.notification as sent on sent.state = word.state group by 1`

const FIND_LOST = `
  select * from events.notification as sent where state = 'PENDING' and not exists (
    select from (${openJobs('notification')}) as job where job.data ->> 'notificationId' = sent.id::text)
  limit 1000`
