import { v7 as uuidv7 } from 'uuid'
import { runSql, type Sql } from '../../../platform/database/sql.ts'
import { dueAt, type Group, type Member, newGroup, type RuleTimes } from './group.ts'

/** A group and where it is stored. */
export interface StoredGroup {
  id: string
  ruleId: string
  channelId: string
  key: string
  dueAt: number | null
  group: Group
}

export type GroupName = Pick<StoredGroup, 'ruleId' | 'channelId' | 'key'>

interface GroupRow extends Omit<StoredGroup, 'group'> {
  waitingSince: number | null
  sentAt: number | null
  repeatFrom: number | null
}

export const nameOf = ({ ruleId, channelId, key }: GroupName): string =>
  JSON.stringify([ruleId, channelId, key])

/** The groups of which some events are members, each with these members alone. */
export async function groupsWith(sql: Sql, eventIds: readonly string[]): Promise<StoredGroup[]> {
  const rows = await runSql<GroupRow & { member: Member }>(sql, FIND_MEMBERS, [eventIds])
  const groups = new Map<string, StoredGroup>()
  for (const { member, ...row } of rows) {
    const known = groups.get(row.id) ?? groupOf(row)
    groups.set(row.id, known)
    known.group.members.set(member.eventId, member)
  }
  return [...groups.values()]
}

/** Groups by their names, without members; those that are missing are new. */
export async function groupsNamed(
  sql: Sql,
  names: readonly GroupName[],
): Promise<Map<string, StoredGroup>> {
  const rows = await runSql<GroupRow>(sql, FIND_NAMED, [
    names.map(({ ruleId }) => ruleId),
    names.map(({ channelId }) => channelId),
    names.map(({ key }) => key),
  ])
  const groups = new Map(rows.map((row) => [nameOf(row), groupOf(row)]))
  for (const name of names)
    if (!groups.has(nameOf(name)))
      groups.set(nameOf(name), { ...name, id: uuidv7(), dueAt: null, group: newGroup() })
  return groups
}

/** Groups that are due, without those whose last notification is not delivered: they are judged once it is. */
export const dueGroups = async (sql: Sql, now: Date, limit: number): Promise<StoredGroup[]> =>
  (await runSql<GroupRow>(sql, FIND_DUE, [now, limit])).map(groupOf)

export async function groupById(sql: Sql, id: string): Promise<StoredGroup | undefined> {
  const [row] = await runSql<GroupRow>(sql, FIND_BY_ID, [id])
  return row && groupOf(row)
}

/** Reads all members of a group. @returns them as they are stored */
export async function readMembers(
  sql: Sql,
  { id, group }: StoredGroup,
): Promise<Map<string, string>> {
  const rows = await runSql<{ member: Member }>(sql, FIND_ALL_MEMBERS, [id])
  for (const { member } of rows) group.members.set(member.eventId, member)
  return new Map(rows.map(({ member }) => [member.eventId, JSON.stringify(member)]))
}

/**
 * Writes groups of which some members are read, with those members.
 * @param rules by id
 */
export async function writeNoted(
  sql: Sql,
  groups: readonly StoredGroup[],
  rules: ReadonlyMap<string, RuleTimes>,
): Promise<void> {
  const due = groups.map(({ ruleId, group, dueAt: stored }) => {
    const rule = rules.get(ruleId)
    const times = [stored, rule ? dueAt(group, rule) : null].filter((time) => time !== null)
    return times.length > 0 ? Math.min(...times) : null
  })
  await writeGroups(
    sql,
    groups.map((stored, at) => ({ ...stored, dueAt: due[at] ?? null })),
  )
  const members = groups.flatMap(({ id, group }) =>
    [...group.members.values()].map((member) => ({ id, member })),
  )
  await writeMembers(sql, members)
}

/** Writes a group of which all members were read. @param before as they were stored */
export async function writeJudged(
  sql: Sql,
  { id, group, ...stored }: StoredGroup,
  before: ReadonlyMap<string, string>,
): Promise<void> {
  const changed = [...group.members.values()].filter(
    (member) => JSON.stringify(member) !== before.get(member.eventId),
  )
  const gone = [...before.keys()].filter((eventId) => !group.members.has(eventId))
  if (gone.length > 0) await runSql(sql, DELETE_MEMBERS, [id, gone])
  if (group.members.size === 0) return deleteGroup(sql, id)
  await writeMembers(
    sql,
    changed.map((member) => ({ id, member })),
  )
  await writeGroups(sql, [{ id, group, ...stored }])
}

export async function deleteGroup(sql: Sql, id: string): Promise<void> {
  await runSql(sql, DELETE_GROUP, [id])
}

const groupOf = ({ waitingSince, sentAt, repeatFrom, ...row }: GroupRow): StoredGroup => ({
  ...row,
  group: { waitingSince, sentAt, repeatFrom, members: new Map() },
})

async function writeGroups(sql: Sql, groups: readonly StoredGroup[]): Promise<void> {
  if (groups.length === 0) return
  const column = <Value>(read: (group: StoredGroup) => Value) => groups.map(read)
  const time = (read: (group: StoredGroup) => number | null) =>
    column((group) => {
      const ms = read(group)
      return ms === null ? null : new Date(ms)
    })
  await runSql(sql, WRITE_GROUPS, [
    column(({ id }) => id),
    column(({ ruleId }) => ruleId),
    column(({ channelId }) => channelId),
    column(({ key }) => key),
    time(({ group }) => group.waitingSince),
    time(({ group }) => group.sentAt),
    time(({ group }) => group.repeatFrom),
    time(({ dueAt: due }) => due),
  ])
}

async function writeMembers(
  sql: Sql,
  members: readonly { id: string; member: Member }[],
): Promise<void> {
  if (members.length === 0) return
  await runSql(sql, WRITE_MEMBERS, [
    members.map(({ id }) => id),
    members.map(({ member }) => member.eventId),
    members.map(({ member }) => JSON.stringify(member)),
  ])
}

const ms = (column: string, name: string): string =>
  `(extract(epoch from g.${column}) * 1000)::float8 as "${name}"`

const COLUMNS = `g.id, g.rule_id as "ruleId", g.channel_id as "channelId", g.key, ${ms('waiting_since', 'waitingSince')},
  ${ms('sent_at', 'sentAt')}, ${ms('repeat_from', 'repeatFrom')}, ${ms('due_at', 'dueAt')}`

const FIND_MEMBERS = `
  select ${COLUMNS}, m.member from events.notification_member as m
  join events.notification_group as g on g.id = m.group_id where m.event_id = any ($1::uuid[])`

const FIND_NAMED = `
  select ${COLUMNS} from events.notification_group as g
  where (rule_id, channel_id, key) in (select * from unnest($1::text[], $2::text[], $3::text[]))`

const FIND_DUE = `
  select ${COLUMNS} from events.notification_group as g where due_at <= $1 and not exists (
    select from events.notification as sent where sent.group_id = g.id and sent.state = 'PENDING')
  order by due_at limit $2`

const FIND_BY_ID = `select ${COLUMNS} from events.notification_group as g where id = $1`

const FIND_ALL_MEMBERS = 'select member from events.notification_member where group_id = $1'

const WRITE_GROUPS = `
  insert into events.notification_group (id, rule_id, channel_id, key, waiting_since, sent_at, repeat_from, due_at)
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[],
    $7::timestamptz[], $8::timestamptz[])
  on conflict (id) do update set waiting_since = excluded.waiting_since, sent_at = excluded.sent_at,
    repeat_from = excluded.repeat_from, due_at = excluded.due_at`

const WRITE_MEMBERS = `
  insert into events.notification_member (group_id, event_id, member)
  select * from unnest($1::uuid[], $2::uuid[], $3::jsonb[])
  on conflict (group_id, event_id) do update set member = excluded.member`

const DELETE_MEMBERS =
  'delete from events.notification_member where group_id = $1 and event_id = any ($2::uuid[])'

const DELETE_GROUP = `
  with members as (delete from events.notification_member where group_id = $1)
  delete from events.notification_group where id = $1`
