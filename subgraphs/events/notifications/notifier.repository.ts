import { v7 as uuidv7 } from 'uuid'
import type { Orm } from '../../../platform/database/orm.ts'
import { inTransaction, runSql, type Sql } from '../../../platform/database/sql.ts'
import { whereAll } from '../../../platform/event-query/condition.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import { filledText } from '../../../platform/notification-template.ts'
import type { LowerCaseRepository } from '../stream/lower-case.repository.ts'
import type { LowerCase } from '../stream/predicate/subject.ts'
import {
  type ForwardedArtifactRepository,
  LOCK_PASSES,
  TRY_LOCK_PASSES,
} from './artifact.repository.ts'
import { fireTriggers } from './fire-triggers.repository.ts'
import {
  deleteGroup,
  dueGroups,
  groupById,
  groupsWith,
  readMembers,
  type StoredGroup,
  writeJudged,
  writeNoted,
} from './group.repository.ts'
import { dueAt, forgetEnded, type Message, noteSilenceEnd, takeMessage } from './group.ts'
import { EventJudge, matching } from './judge.repository.ts'
import { noteChanges, REST, takeChanges } from './note-changes.repository.ts'
import { type DueNotification, insertNotification } from './notification.repository.ts'
import { bodyOf, merged, type NotificationBody, shownIds } from './notification.ts'
import { type CompiledRule, type CompiledSilence, type RuleBook, RuleBooks } from './rule-book.ts'
import { textValues } from './text.ts'

export interface NotifierLimits {
  /** NOTIFICATION_GROUPS */
  groups: number
  /** NOTIFICATIONS_PER_MINUTE */
  perMinute: number
}

/** Outcome of a pass. BUSY: another process makes one. MORE: changes or groups are left. */
export type PassOutcome = 'BUSY' | 'MORE' | { next: Date | null }

/** Changes, and groups, of one transaction. */
const CHANGES_AT_ONCE = 500
const GROUPS_AT_ONCE = 50
const MINUTE_MS = 60_000
/** Pause of a group whose channel has had its notifications of a minute. */
const LATER_MS = 5_000

/** Judges changes of state by rules, and writes the notifications that follow: with the decision, in one transaction. */
export class NotifierRepository {
  readonly #books = new RuleBooks()

  constructor(
    private readonly orm: Orm,
    private readonly jobs: Jobs,
    private readonly artifacts: ForwardedArtifactRepository,
    private readonly lowerCase: Pick<LowerCaseRepository, 'read'>,
    private readonly limits: NotifierLimits,
  ) {}

  /** @param sends false while notifications are paused: changes are taken in, and none is notified */
  async run(now: Date, sends: boolean): Promise<PassOutcome> {
    const lower = await this.lowerCase.read()
    return inTransaction(
      this.orm.em,
      async (sql) => {
        const [lock] = await runSql<{ held: boolean }>(sql, TRY_LOCK_PASSES)
        if (!lock?.held) return 'BUSY'
        const book = await this.#book(sql, lower)
        await this.#endSilences(sql, book, lower, now)
        const active = book.silences.filter((silence) => silence.isActive(now))
        const changes = await takeChanges(sql, CHANGES_AT_ONCE)
        let hasEnded = false
        if (changes.length > 0) {
          const ids = [...new Set(changes.map(({ eventId }) => eventId))]
          const judge = await EventJudge.of(this.orm, sql, ids, lower)
          await noteChanges(sql, judge, { book, active, changes, most: this.limits.groups })
          await fireTriggers(sql, this.jobs, judge, book.triggers, changes)
          if (changes.some(({ kind }) => kind === 'RESOLVED'))
            hasEnded = await endResolved(sql, active)
        }
        const due = sends ? await dueGroups(sql, now, GROUPS_AT_ONCE) : []
        for (const group of due) await this.#judge(sql, book, active, group, lower, now)
        if (hasEnded || changes.length === CHANGES_AT_ONCE || due.length === GROUPS_AT_ONCE)
          return 'MORE'
        const [row] = await runSql<{ next: Date | null }>(sql, NEXT)
        return { next: sends && row?.next ? new Date(row.next) : null }
      },
      { isAudited: false },
    )
  }

  /**
   * Adds what has come since to a notification that its receiver has refused.
   * @returns its new content, which is stored under another id of the message; null where nothing came
   */
  async addLater(
    { id, groupId, body }: DueNotification,
    now: Date,
  ): Promise<DueNotification | null> {
    const lower = await this.lowerCase.read()
    return inTransaction(
      this.orm.em,
      async (sql) => {
        await runSql(sql, LOCK_PASSES)
        const book = await this.#book(sql, lower)
        const stored = await groupById(sql, groupId)
        const rule = stored && book.rules.get(stored.ruleId)
        if (!stored || !rule || stored.group.waitingSince === null) return null
        const active = book.silences.filter((silence) => silence.isActive(now))
        // Whatever waits has been refused its own time: the channel is away.
        const impatient = { ...rule, groupWaitMs: 0, groupIntervalMs: 0 }
        const later = await this.#take(sql, impatient, active, stored, lower, now)
        if (!later) return null
        const whole = merged(body, later)
        const messageId = uuidv7()
        await runSql(sql, REPLACE, [id, messageId, JSON.stringify(whole)])
        return { id, groupId, messageId, body: whole }
      },
      { isAudited: false },
    )
  }

  async #book(sql: Sql, lower: LowerCase): Promise<RuleBook> {
    return this.#books.of(await this.artifacts.read(sql), lower)
  }

  /** Notes which silences begin, and takes the end of one in for all events that no other one holds back. */
  async #endSilences(sql: Sql, book: RuleBook, lower: LowerCase, now: Date): Promise<void> {
    const active = book.silences.filter((silence) => silence.isActive(now))
    for (const silence of active)
      if (!silence.wasActive) await runSql(sql, SET_ACTIVE, [silence.id, true])
    for (const silence of book.silences) {
      if (!silence.wasActive || silence.isActive(now)) continue
      const eventIds = await memberIds(sql)
      const ended = await matching(sql, eventIds, silence.conditions())
      const judge = await EventJudge.of(this.orm, sql, [...ended], lower)
      for (const id of ended) {
        const subject = judge.subject(id)
        if (subject && (await judge.matchesAny(subject, active))) ended.delete(id)
      }
      const groups = await groupsWith(sql, [...ended])
      for (const { group } of groups)
        noteSilenceEnd(group, ended, now.getTime(), silence.notifyAtEnd)
      await writeNoted(sql, groups, book.rules)
      await runSql(sql, SET_ACTIVE, [silence.id, false])
    }
  }

  /** Judges a group that is due, and writes its notification. */
  async #judge(
    sql: Sql,
    { rules }: RuleBook,
    active: readonly CompiledSilence[],
    stored: StoredGroup,
    lower: LowerCase,
    now: Date,
  ): Promise<void> {
    const rule = rules.get(stored.ruleId)
    if (!rule?.channels.includes(stored.channelId)) return deleteGroup(sql, stored.id)
    const since = new Date(now.getTime() - MINUTE_MS)
    const [sent] = await runSql<{ count: number }>(sql, COUNT_SENT, [stored.channelId, since])
    if ((sent?.count ?? 0) >= this.limits.perMinute) {
      await runSql(sql, POSTPONE, [stored.id, new Date(now.getTime() + LATER_MS)])
      return
    }
    const body = await this.#take(sql, rule, active, stored, lower, now)
    if (body) await insertNotification(sql, this.jobs, stored, body, now)
  }

  /** Takes the notification that is due out of a group, and writes the group. */
  async #take(
    sql: Sql,
    rule: CompiledRule,
    active: readonly CompiledSilence[],
    stored: StoredGroup,
    lower: LowerCase,
    now: Date,
  ): Promise<NotificationBody | null> {
    const { group } = stored
    const before = await readMembers(sql, stored)
    const silenced = await silencedOf(sql, [...group.members.keys()], active)
    const at = now.getTime()
    const message = takeMessage(group, rule, at, (id) => silenced.has(id))
    const body = message && (await this.#bodyOf(sql, rule, stored, message, lower, now))
    forgetEnded(group, rule, at)
    const due = dueAt(group, rule)
    // Ended events are forgotten once they can no longer flap.
    const next = due ?? (group.members.size > 0 ? at + rule.flappingWithinMs : null)
    await writeJudged(sql, { ...stored, dueAt: next && Math.max(next, at + 1) }, before)
    return body
  }

  async #bodyOf(
    sql: Sql,
    { id, name, text }: CompiledRule,
    { group, key }: StoredGroup,
    message: Message,
    lower: LowerCase,
    now: Date,
  ): Promise<NotificationBody> {
    const { events } = await EventJudge.of(this.orm, sql, shownIds(message), lower)
    const facts = { rule: { id, name, text }, group: key === REST ? {} : JSON.parse(key) }
    const body = bodyOf(message, facts, group, events, now)
    return { ...body, rule: { ...body.rule, text: text && filledText(text, textValues(body)) } }
  }
}

/** Ends silences that last until nothing that they match is open. @returns true if there were any: the next pass takes their end in */
async function endResolved(sql: Sql, active: readonly CompiledSilence[]): Promise<boolean> {
  let hasEnded = false
  for (const silence of active) {
    if (!silence.untilResolved) continue
    const where = whereAll([{ sql: IS_OPEN_MEMBER, parameters: [] }, ...silence.conditions()])
    const statement = `select from events.event as event ${where.sql} limit 1`
    if ((await runSql(sql, statement, where.parameters)).length > 0) continue
    await runSql(sql, END_SILENCE, [silence.id])
    hasEnded = true
  }
  return hasEnded
}

const IS_OPEN_MEMBER = `event.status in ('OPEN', 'ACKNOWLEDGED')
  and event.id in (select event_id from events.notification_member)`

const END_SILENCE = `
  update events.forwarded_artifact set is_deleted = true where kind = 'silence' and id = $1`

async function silencedOf(
  sql: Sql,
  ids: readonly string[],
  active: readonly CompiledSilence[],
): Promise<Set<string>> {
  const sets = []
  for (const silence of active) sets.push(...(await matching(sql, ids, silence.conditions())))
  return new Set(sets)
}

const memberIds = async (sql: Sql): Promise<string[]> =>
  (await runSql<{ id: string }>(sql, FIND_MEMBER_IDS)).map(({ id }) => id)

const NEXT = `
  select min(due_at) as next from events.notification_group as g where due_at is not null and not exists (
    select from events.notification as sent where sent.group_id = g.id and sent.state = 'PENDING')`

const SET_ACTIVE = `update events.forwarded_artifact set is_active = $2 where kind = 'silence' and id = $1`

const FIND_MEMBER_IDS = 'select distinct event_id::text as id from events.notification_member'

const COUNT_SENT = `
  select count(*)::int as count from events.notification where channel_id = $1 and created > $2`

const POSTPONE = 'update events.notification_group set due_at = $2 where id = $1'

const REPLACE = 'update events.notification set message_id = $2, body = $3::jsonb where id = $1'
