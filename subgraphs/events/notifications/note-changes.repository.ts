import { runSql, type Sql } from '../../../platform/database/sql.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { ChangeKind, State } from './change.ts'
import {
  type GroupName,
  groupsNamed,
  groupsWith,
  nameOf,
  type StoredGroup,
  writeNoted,
} from './group.repository.ts'
import { type NotedChange, noteChange } from './group.ts'
import type { EventJudge } from './judge.repository.ts'
import { IS_REGRESSION } from './regression-sql.ts'
import { type CompiledRule, type CompiledSilence, groupOf, type RuleBook } from './rule-book.ts'

/** A change as ingestion noted it. */
export interface NotedRow extends State {
  id: string
  eventId: string
  at: Date
  kind: ChangeKind
  executionId: string | null
}

interface NotedChanges {
  book: RuleBook
  /** Silences that hold. */
  active: readonly CompiledSilence[]
  changes: readonly NotedRow[]
  /** NOTIFICATION_GROUPS */
  most: number
}

/** Key of the group that takes what NOTIFICATION_GROUPS leaves no group of its own. */
export const REST = '"…"'

/** Takes the first changes that are noted, in their order. @param limit of them at most */
export const takeChanges = (sql: Sql, limit: number): Promise<NotedRow[]> =>
  runSql(sql, TAKE_CHANGES, [limit])

/** Takes changes in, each into the groups of the rules that match it or know its event. */
export async function noteChanges(
  sql: Sql,
  judge: EventJudge,
  { book: { rules }, active, changes, most }: NotedChanges,
): Promise<void> {
  const ids = [...new Set(changes.map(({ eventId }) => eventId))]
  const known = await groupsWith(sql, ids)
  /** Event → its groups. */
  const homes = new Map<string, StoredGroup[]>(ids.map((id) => [id, []]))
  for (const stored of known)
    for (const eventId of stored.group.members.keys()) homes.get(eventId)?.push(stored)

  const noted: (Omit<NotedChange, 'eventId'> & { rule: CompiledRule; event: StoredEvent })[] = []
  const names = new Map<string, GroupName>()
  for (const { eventId, kind, at, status, severity } of changes) {
    const to = { status, severity }
    const subject = judge.subject(eventId, to)
    const event = judge.events.get(eventId)
    if (!subject || !event) continue
    const own = homes.get(eventId) ?? []
    let isSilenced: boolean | undefined
    for (const rule of rules.values()) {
      // Mostly known at once: there may be many rules and changes.
      const matches = rule.judge(subject) ?? (await judge.matches(subject, rule))
      if (!matches && !own.some(({ ruleId }) => ruleId === rule.id)) continue
      isSilenced ??= await judge.matchesAny(subject, active)
      noted.push({ rule, event, kind, to, at: new Date(at).getTime(), matches, isSilenced })
      for (const name of namesOf(rule, event)) names.set(nameOf(name), name)
    }
  }
  for (const stored of known) names.delete(nameOf(stored))
  const named = await groupsFor(sql, [...names.values()], most)
  for (const stored of known) named.set(nameOf(stored), stored)
  const touched = new Set<StoredGroup>()
  for (const { rule, event, ...change } of noted) {
    const own = homes.get(event.id) ?? []
    for (const name of namesOf(rule, event)) {
      const home = own.find(
        ({ ruleId, channelId }) => ruleId === rule.id && channelId === name.channelId,
      )
      const stored = home ?? named.get(nameOf(name))
      if (!stored) continue
      if (!home) own.push(stored)
      noteChange(stored.group, rule, { eventId: event.id, ...change })
      if (stored.group.members.size > 0) touched.add(stored)
    }
  }
  await writeNoted(sql, [...touched], rules)
}

/** Groups by name; a rule that has too many of them gathers the rest in one. */
async function groupsFor(
  sql: Sql,
  names: readonly GroupName[],
  most: number,
): Promise<Map<string, StoredGroup>> {
  if (names.length === 0) return new Map()
  const rows = await runSql<{ ruleId: string; groups: number }>(sql, COUNT_GROUPS)
  const counts = new Map(rows.map(({ ruleId, groups }) => [ruleId, groups]))
  const groups = await groupsNamed(sql, names)
  for (const [name, stored] of groups) {
    const { ruleId, channelId } = stored
    if (stored.group.members.size > 0 || stored.dueAt !== null) continue
    const count = (counts.get(ruleId) ?? 0) + 1
    counts.set(ruleId, count)
    if (count <= most) continue
    const rest = nameOf({ ruleId, channelId, key: REST })
    const home =
      groups.get(rest) ?? (await groupsNamed(sql, [{ ruleId, channelId, key: REST }])).get(rest)
    if (home) groups.set(name, home).set(rest, home)
  }
  return groups
}

/** Groups that an event falls into by a rule: one for each channel. */
function namesOf(rule: CompiledRule, event: StoredEvent): GroupName[] {
  const key = JSON.stringify(groupOf(rule, event))
  return rule.channels.map((channelId) => ({ ruleId: rule.id, channelId, key }))
}

const COUNT_GROUPS = `
  select rule_id as "ruleId", count(*)::int as groups from events.notification_group group by rule_id`

/** Not `exists`: PostgreSQL would answer that of many by reading all changes of state once. */
const TAKE_CHANGES = `
  with taken as (
    delete from events.state_change where id in (select id from events.state_change order by id limit $1)
    returning id, event_id, at, kind, status, severity, execution_id)
  select id, event_id as "eventId", at, status, severity, execution_id as "executionId",
    case when kind = 'REOPENED' and (
      select true from events.status_change as change
      where change.event_id = taken.event_id and change.at = taken.at and ${IS_REGRESSION}
      order by change.id desc limit 1)
    then 'REGRESSED' else kind end as kind
  from taken order by id`
