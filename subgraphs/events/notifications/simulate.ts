import type { StoredEvent } from '../tables/event.entity.ts'
import { changeKindOf, type State } from './change.ts'
import {
  dueAt,
  forgetEnded,
  type Group,
  type Message,
  newGroup,
  noteChange,
  takeMessage,
} from './group.ts'
import { type CompiledRule, groupOf } from './rule-book.ts'

/** A change of an event as its history has it. */
export interface PastChange extends State {
  eventId: string
  /** Null for the first occurrence. */
  from: State | null
  at: number
  isRegression: boolean
  /** The query matches the event with the state of the change. */
  matches: boolean
}

/** A notification that a rule would have sent. */
export interface PastMessage extends Message {
  at: number
  group: Record<string, unknown>
}

/**
 * Plays changes through the groups of a rule, up to now. Silences are left out, and deliveries take no time.
 * @param changes in the order of time
 */
export function simulate(
  rule: CompiledRule,
  changes: readonly PastChange[],
  events: ReadonlyMap<string, StoredEvent>,
  now: number,
): PastMessage[] {
  const groups = new Map<string, { group: Group; values: Record<string, unknown> }>()
  const sent: PastMessage[] = []
  const judgeUntil = (end: number) => {
    for (const { group, values } of groups.values())
      for (let due = dueAt(group, rule); due !== null && due <= end; due = dueAt(group, rule)) {
        const message = takeMessage(group, rule, due)
        if (message) sent.push({ ...message, at: due, group: values })
        forgetEnded(group, rule, due)
      }
  }
  for (const { eventId, from, at, isRegression, matches, ...to } of changes) {
    const event = events.get(eventId)
    const kind = isRegression ? 'REGRESSED' : changeKindOf(from, to)
    if (!event || !kind) continue
    const values = groupOf(rule, event)
    const key = JSON.stringify(values)
    const known = groups.get(key)
    if (!known && !matches) continue
    judgeUntil(at)
    const home = known ?? { group: newGroup(), values }
    groups.set(key, home)
    noteChange(home.group, rule, { eventId, kind, to, at, matches, isSilenced: false })
  }
  judgeUntil(now)
  return sent.sort((a, b) => a.at - b.at)
}
