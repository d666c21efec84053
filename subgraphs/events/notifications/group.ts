import { type ChangeKind, isAmong, isOpen, type State } from './change.ts'

/** Word of a notification for an event. SILENCE_ENDED: it is still open; STEADY: it was flapping and is no more. */
export type EntryKind = ChangeKind | 'SILENCE_ENDED' | 'STEADY'

/** Times of a rule, in ms. */
export interface RuleTimes {
  on: ReadonlySet<ChangeKind>
  groupWaitMs: number
  groupIntervalMs: number
  repeatIntervalMs: number | null
  flappingAfter: number
  flappingWithinMs: number
}

/** Knowledge of one event for one channel. Times are ms since 1970. */
export interface Member {
  eventId: string
  now: State
  /** The state that was last notified; null where it was not, or its end was. */
  told: State | null
  /** Changes since the last notification that are in the next one. */
  pending: EntryKind[]
  /** A silence has kept back a change. */
  isSwallowed: boolean
  /** Times of its latest changes. */
  recent: number[]
  /** It was notified as flapping, and changes are not notified until it is steady. */
  isFlapping: boolean
}

/** Events that share notifications: those of one rule, one channel and one value of `groupBy`. */
export interface Group {
  /** When the first change was received that waits for a notification. */
  waitingSince: number | null
  /** The last notification while an event of the group is open; null for a group that begins anew. */
  sentAt: number | null
  /** Repetitions count from here. */
  repeatFrom: number | null
  members: Map<string, Member>
}

export interface Entry {
  eventId: string
  /** Null: it was not notified before. */
  from: State | null
  to: State
  kinds: EntryKind[]
  isFlapping: boolean
}

export interface Message {
  reason: 'first' | 'change' | 'repeat' | 'silenceEnded'
  /** Changes since the last notification. */
  changes: Entry[]
  /** Ids of events that were notified before and are still open. */
  open: string[]
}

export interface NotedChange {
  eventId: string
  kind: ChangeKind
  to: State
  /** Time of receipt. */
  at: number
  /** The query of the rule matches the event in its new state. */
  matches: boolean
  isSilenced: boolean
}

/** Further changes are counted in `recent` alone. */
const MAX_PENDING = 20

export const newGroup = (): Group => ({
  waitingSince: null,
  sentAt: null,
  repeatFrom: null,
  members: new Map(),
})

/** Takes a change in, in the order of receipt. What is notified of it follows from the state that was last notified. */
export function noteChange(group: Group, rule: RuleTimes, change: NotedChange): void {
  const { eventId, kind, to, at, matches, isSilenced } = change
  const isEnd = kind === 'RESOLVED'
  const known = group.members.get(eventId)
  if (!known && (isEnd || !matches)) return
  const member = known ?? newMember(eventId, to)
  if (!matches && !isEnd && !isOpen(member.now)) return
  group.members.set(eventId, member)
  member.now = to
  member.recent = [...recentOf(member, rule, at), at].slice(-rule.flappingAfter)
  if (!matches && !isEnd) return
  if (isSilenced && !isEnd) {
    member.isSwallowed = true
    return
  }
  // Without an opening that was notified, its end means nothing to people.
  const isExpected =
    isToldOpen(member) ||
    member.pending.length > 0 ||
    (!isNotifiedOpening(rule) && !member.isSwallowed)
  member.isSwallowed = false
  if (isEnd && !isExpected) return
  if (isEnd && !rule.on.has('RESOLVED')) member.told = null
  if (member.isFlapping || !isWanted(rule, member, kind)) return
  if (member.pending.length < MAX_PENDING) member.pending.push(kind)
  group.waitingSince ??= at
}

/** Takes in that a silence of these events has ended. @param notifies of all that are open, or only of kept changes */
export function noteSilenceEnd(
  group: Group,
  eventIds: ReadonlySet<string>,
  at: number,
  notifies: boolean,
): void {
  for (const member of group.members.values()) {
    if (!eventIds.has(member.eventId)) continue
    const isDue = isOpen(member.now) && (member.isSwallowed || (notifies && isToldOpen(member)))
    member.isSwallowed = false
    if (!isDue || member.isFlapping || member.pending.length > 0) continue
    member.pending.push('SILENCE_ENDED')
    group.waitingSince ??= at
  }
}

/** When the group is to be judged next; null: after a further change. */
export function dueAt(group: Group, rule: RuleTimes): number | null {
  const times: number[] = []
  const { waitingSince, sentAt, repeatFrom } = group
  if (waitingSince !== null)
    times.push(
      sentAt === null
        ? waitingSince + rule.groupWaitMs
        : Math.max(waitingSince, sentAt + rule.groupIntervalMs),
    )
  if (rule.repeatIntervalMs !== null && repeatFrom !== null)
    times.push(repeatFrom + rule.repeatIntervalMs)
  for (const member of group.members.values())
    if (member.isFlapping) times.push(steadyAt(member, rule))
  return times.length > 0 ? Math.min(...times) : null
}

/**
 * The notification that is due, which counts as sent.
 * @param isSilenced whether an open event is not to be repeated now
 */
export function takeMessage(
  group: Group,
  rule: RuleTimes,
  now: number,
  isSilenced: (eventId: string) => boolean = () => false,
): Message | null {
  noteSteady(group, rule, now)
  if (isOver(group)) Object.assign(group, { sentAt: null, repeatFrom: null })
  const due = dueAt(group, rule)
  if (due === null || due > now) return null
  const members = [...group.members.values()]
  for (const member of members) if (isSilenced(member.eventId)) swallow(member)
  const changed = members.filter(({ pending }) => pending.length > 0)
  const changes = changed.map((member) => entryOf(member, rule, now))
  const open = members
    .filter((member) => !changed.includes(member) && isToldOpen(member))
    .map(({ eventId }) => eventId)
    .filter((eventId) => !isSilenced(eventId))
  const isSilenceEnd = changes.every(({ kinds }) => kinds.includes('SILENCE_ENDED'))
  const reason =
    changes.length === 0
      ? 'repeat'
      : isSilenceEnd
        ? 'silenceEnded'
        : group.sentAt === null
          ? 'first'
          : 'change'
  const isRepeat = isRepeatDue(group, rule, now)
  group.waitingSince = null
  if (changes.length === 0 && !isRepeat) return null
  const ended = isOver(group)
  group.repeatFrom = ended ? null : now
  if (changes.length === 0 && open.length === 0) return null
  group.sentAt = ended ? null : now
  return { reason, changes, open }
}

/** A silence that was stored before a change was notified keeps it back, but for an end whose opening was notified. */
function swallow(member: Member): void {
  if (member.pending.length === 0 || (isToldOpen(member) && !isOpen(member.now))) return
  member.pending = []
  member.isSwallowed = isOpen(member.now)
}

const isRepeatDue = ({ repeatFrom }: Group, { repeatIntervalMs }: RuleTimes, now: number) =>
  repeatIntervalMs !== null && repeatFrom !== null && repeatFrom + repeatIntervalMs <= now

const isOver = ({ members }: Group): boolean => ![...members.values()].some(isToldOpen)

/** Removes events of which nothing is left to notify. */
export function forgetEnded(group: Group, rule: RuleTimes, now: number): void {
  for (const [id, member] of group.members) {
    const isLeft = isOpen(member.now) || member.pending.length > 0 || member.isFlapping
    if (!isLeft && recentOf(member, rule, now).length === 0) group.members.delete(id)
  }
}

const newMember = (eventId: string, now: State): Member => ({
  ...{ eventId, now, told: null, pending: [], recent: [] },
  ...{ isSwallowed: false, isFlapping: false },
})

const isToldOpen = ({ told }: Member): boolean => told !== null && isOpen(told)

const isNotifiedOpening = ({ on }: RuleTimes): boolean =>
  on.has('OPENED') || isAmong(on, 'REGRESSED')

/** An event that a rise brings into the query is opened as far as the rule is concerned. */
const isWanted = ({ on }: RuleTimes, member: Member, kind: ChangeKind): boolean =>
  isAmong(on, kind) ||
  (kind === 'RAISED' && on.has('OPENED') && !isToldOpen(member) && member.pending.length === 0)

const recentOf = ({ recent }: Member, { flappingWithinMs }: RuleTimes, at: number): number[] =>
  recent.filter((time) => time > at - flappingWithinMs)

const steadyAt = ({ recent }: Member, { flappingWithinMs }: RuleTimes): number =>
  (recent.at(-1) ?? 0) + flappingWithinMs

function noteSteady(group: Group, rule: RuleTimes, now: number): void {
  for (const member of group.members.values()) {
    if (!member.isFlapping || steadyAt(member, rule) > now) continue
    group.waitingSince ??= steadyAt(member, rule)
    member.isFlapping = false
    member.recent = []
    member.pending = ['STEADY']
  }
}

function entryOf(member: Member, rule: RuleTimes, now: number): Entry {
  const { eventId, told: from, now: to, pending: kinds } = member
  member.isFlapping = recentOf(member, rule, now).length >= rule.flappingAfter
  member.told = isOpen(to) || member.isFlapping ? to : null
  member.pending = []
  return { eventId, from, to, kinds, isFlapping: member.isFlapping }
}
