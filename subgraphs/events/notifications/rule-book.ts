import { durationMs } from '../../../formats/duration.ts'
import { parseTime } from '../../../formats/parse-time.ts'
import { compileQuery } from '../../../platform/event-query/compile.ts'
import type { Condition } from '../../../platform/event-query/condition.ts'
import { compilePredicate } from '../stream/predicate/predicate.ts'
import type { Judge, LowerCase } from '../stream/predicate/subject.ts'
import type { StoredEvent } from '../tables/event.entity.ts'
import type { ChangeKind } from './change.ts'
import type { RuleTimes } from './group.ts'
import { isWithinWeek, type Weekly } from './weekly.ts'

/** A channel, rule, silence or trigger as it was forwarded. */
export interface ForwardedArtifact {
  kind: string
  id: string
  at: string
  fields: Record<string, unknown>
  sealed: Readonly<Record<string, string>>
  isActive: boolean
  isDeleted: boolean
}

interface Queried {
  id: string
  name: string
  /** Judges an event; undefined where only the database can. */
  judge: Judge
  /** The same for the database; relative times are of now. */
  conditions(): Condition[]
}

export interface CompiledRule extends RuleTimes, Queried {
  text: string | null
  groupBy: readonly string[]
  channels: readonly string[]
}

export interface CompiledSilence extends Queried {
  isDeleted: boolean
  notifyAtEnd: boolean
  reason: string
  until: string | null
  /** It lasts as long as something that it matches is open. */
  untilResolved: boolean
  /** It held when it was last looked at. */
  wasActive: boolean
  isActive(now: Date): boolean
}

/** Starts executions for changes of events that match. */
export interface CompiledTrigger extends Queried {
  on: ReadonlySet<ChangeKind>
}

/** Rules and triggers that are on, and silences, ready to judge. */
export interface RuleBook {
  rules: ReadonlyMap<string, CompiledRule>
  triggers: readonly CompiledTrigger[]
  silences: readonly CompiledSilence[]
}

interface RuleFields extends Record<string, unknown> {
  name: string
  query: string
  on: ChangeKind[]
  groupBy: string[]
  groupWait: string
  groupInterval: string
  repeatInterval?: string
  flappingAfter: number
  flappingWithin: string
  channels: string[]
  text?: string
  enabled: boolean
}

interface TriggerFields extends Pick<RuleFields, 'name' | 'on' | 'enabled'> {
  /** Absent for one of a webhook. */
  query?: string
}

interface SilenceFields extends Record<string, unknown> {
  name: string
  query: string
  from?: string
  until?: string
  weekly?: Weekly
  reason: string
  notifyAtEnd: boolean
}

/** Compiles each artifact once for each of its changes. */
export class RuleBooks {
  #rules = new Map<string, CompiledRule>()
  #triggers = new Map<string, CompiledTrigger>()
  #silences = new Map<string, CompiledSilence>()

  /** The artifacts were checked when they were stored. */
  of(artifacts: readonly ForwardedArtifact[], lower: LowerCase): RuleBook {
    const rules = new Map<string, CompiledRule>()
    const triggers = new Map<string, CompiledTrigger>()
    const silences = new Map<string, CompiledSilence>()
    for (const artifact of artifacts) {
      const key = `${artifact.id} ${artifact.at} ${artifact.isDeleted}`
      if (artifact.kind === 'rule' && (artifact.fields as RuleFields).enabled)
        rules.set(key, this.#rules.get(key) ?? ruleOf(artifact, lower))
      if (artifact.kind === 'trigger') {
        const trigger = this.#triggers.get(key) ?? triggerOf(artifact, lower)
        if (trigger) triggers.set(key, trigger)
      }
      if (artifact.kind === 'silence') {
        const known = this.#silences.get(key) ?? silenceOf(artifact, lower)
        silences.set(key, { ...known, wasActive: artifact.isActive })
      }
    }
    this.#rules = rules
    this.#triggers = triggers
    this.#silences = silences
    return {
      rules: new Map([...rules.values()].map((rule) => [rule.id, rule])),
      triggers: [...triggers.values()],
      silences: [...silences.values()],
    }
  }
}

const queried = (id: string, name: string, query: string, lower: LowerCase): Queried => ({
  ...{ id, name },
  judge: compilePredicate(query, lower).judge,
  conditions: () => compileQuery(query, 'event'),
})

/** A rule, on or off. */
export function ruleOf({ id, fields }: ForwardedArtifact, lower: LowerCase): CompiledRule {
  const rule = fields as RuleFields // as its kind was checked
  return {
    ...queried(id, rule.name, rule.query, lower),
    on: new Set(rule.on),
    groupWaitMs: durationMs(rule.groupWait),
    groupIntervalMs: durationMs(rule.groupInterval),
    repeatIntervalMs: rule.repeatInterval ? durationMs(rule.repeatInterval) : null,
    flappingAfter: rule.flappingAfter,
    flappingWithinMs: durationMs(rule.flappingWithin),
    text: rule.text ?? null,
    groupBy: rule.groupBy,
    channels: rule.channels,
  }
}

function triggerOf({ id, fields }: ForwardedArtifact, lower: LowerCase): CompiledTrigger | null {
  const { name, query, on, enabled } = fields as unknown as TriggerFields // as its kind was checked
  if (!enabled || query === undefined) return null
  return { ...queried(id, name, query, lower), on: new Set(on) }
}

function silenceOf(
  { id, fields, isActive, isDeleted }: ForwardedArtifact,
  lower: LowerCase,
): CompiledSilence {
  const { name, query, notifyAtEnd, reason, ...times } = fields as SilenceFields // as its kind was checked
  const [from, until] = [parseTime(times.from ?? ''), parseTime(times.until ?? '')]
  return {
    ...queried(id, name, query, lower),
    notifyAtEnd,
    reason,
    until: times.until ?? null,
    isDeleted,
    untilResolved: times.until === 'RESOLVED',
    wasActive: isActive,
    isActive: (now) =>
      !isDeleted &&
      (!from || now >= from) &&
      (!until || now < until) &&
      (!times.weekly || isWithinWeek(times.weekly, now)),
  }
}

/** Values of the fields that group events, by name; null where an event has none. */
export const groupOf = (
  { groupBy }: Pick<CompiledRule, 'groupBy'>,
  event: StoredEvent,
): Record<string, unknown> =>
  Object.fromEntries(groupBy.map((name) => [name, fieldOf(event, name) ?? null]))

const PROPERTY = 'properties.'

function fieldOf(event: StoredEvent, name: string): unknown {
  if (name.startsWith(PROPERTY)) {
    const key = name.slice(PROPERTY.length)
    return Object.hasOwn(event.properties, key) ? event.properties[key] : null
  }
  const fields: Record<string, unknown> = {
    title: event.title,
    eventClass: event.eventClass,
    'source.ref': event.sourceRef,
    'source.type': event.sourceType,
    'source.name': event.sourceName,
  }
  return fields[name]
}
