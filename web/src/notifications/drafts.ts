import type {
  ChannelDetailQuery,
  ChannelKind,
  CreateChannelInput,
  CreateRuleInput,
  CreateSilenceInput,
  RevisionFragment,
  RuleChange,
  RuleDetailQuery,
  SilenceDetailQuery,
  Weekday,
} from '../graph/generated.ts'
import type { Named } from '../repository/forms/named-list.tsx'

export type Channel = NonNullable<ChannelDetailQuery['artifact']>
export type Rule = NonNullable<RuleDetailQuery['artifact']>
export type Silence = NonNullable<SilenceDetailQuery['artifact']>

/** Name and description, which each draft has. */
interface Common {
  name: string
  description: string
}

export interface ChannelDraft extends Common {
  kind: ChannelKind
  url: string
  /** Addresses, one on each line. */
  to: string
  template: string
}

export interface RuleDraft extends Common {
  query: string
  on: readonly RuleChange[]
  /** Names with commas. */
  groupBy: string
  groupWait: string
  groupInterval: string
  repeatInterval: string
  flappingAfter: string
  flappingWithin: string
  text: string
  enabled: boolean
  channels: readonly Named[]
}

export interface SilenceDraft extends Common {
  query: string
  from: string
  until: string
  isWeekly: boolean
  days: readonly Weekday[]
  opens: string
  closes: string
  timeZone: string
  reason: string
  notifyAtEnd: boolean
}

export const NEW_CHANNEL: ChannelDraft = {
  ...{ name: '', description: '', kind: 'webhook', url: '', to: '', template: '' },
}

export const NEW_RULE: RuleDraft = {
  ...{ name: '', description: '', query: '', groupBy: '', text: '', enabled: true, channels: [] },
  on: ['OPENED', 'REOPENED', 'RAISED', 'RESOLVED'],
  ...{ groupWait: '30s', groupInterval: '5m', repeatInterval: '' },
  ...{ flappingAfter: '6', flappingWithin: '15m' },
}

export const NEW_SILENCE: SilenceDraft = {
  ...{ name: '', description: '', query: '', from: '', until: '', reason: '', notifyAtEnd: true },
  ...{ isWeekly: false, days: [], opens: '22:00', closes: '06:00' },
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
}

const common = ({ name, description }: { name: string; description: string | null }): Common => ({
  name,
  description: description ?? '',
})

export const draftOfChannel = (channel: Channel): ChannelDraft => ({
  ...common(channel),
  kind: channel.kind,
  url: channel.url ?? '',
  to: channel.to.join('\n'),
  template: channel.template ?? '',
})

export const draftOfRule = (rule: Rule): RuleDraft => ({
  ...common(rule),
  query: rule.query,
  on: rule.on,
  groupBy: rule.groupBy.join(', '),
  groupWait: rule.groupWait,
  groupInterval: rule.groupInterval,
  repeatInterval: rule.repeatInterval ?? '',
  flappingAfter: String(rule.flappingAfter),
  flappingWithin: rule.flappingWithin,
  text: rule.text ?? '',
  enabled: rule.enabled,
  channels: rule.channels.map(({ id, name }) => ({ id, name })),
})

export const draftOfSilence = (silence: Silence): SilenceDraft => ({
  ...common(silence),
  query: silence.query,
  from: silence.from ?? '',
  until: silence.until ?? '',
  isWeekly: silence.weekly !== null,
  days: silence.weekly?.days ?? [],
  opens: silence.weekly?.from ?? NEW_SILENCE.opens,
  closes: silence.weekly?.to ?? NEW_SILENCE.closes,
  timeZone: silence.weekly?.timeZone ?? NEW_SILENCE.timeZone,
  reason: silence.reason,
  notifyAtEnd: silence.notifyAtEnd,
})

/** An earlier revision as the artifact that it was. */
const earlierOf = <Stored extends object>(
  stored: Stored,
  { name, description, attributes }: RevisionFragment,
): Stored => ({ ...stored, ...attributes, name, description })

export const channelOfEarlier = (channel: Channel, earlier: RevisionFragment): ChannelDraft => {
  const given = earlierOf({ ...channel, template: null }, earlier)
  // The address of then is sealed: the present one stays.
  return draftOfChannel({ ...given, url: channel.url, to: given.to ?? [] })
}

export const ruleOfEarlier = (rule: Rule, earlier: RevisionFragment): RuleDraft => {
  const ids: unknown = earlier.attributes.channels
  const namedBy = (id: unknown) =>
    rule.channels.find((each) => each.id === id) ?? { id: String(id), name: String(id) }
  const channels = Array.isArray(ids) ? ids.map(namedBy) : rule.channels
  const absent = { repeatInterval: null, text: null }
  return draftOfRule({ ...earlierOf({ ...rule, ...absent }, earlier), channels })
}

export const silenceOfEarlier = (silence: Silence, earlier: RevisionFragment): SilenceDraft => {
  const absent = { from: null, until: null, weekly: null }
  return draftOfSilence(earlierOf({ ...silence, ...absent }, earlier))
}

const partsOf = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const inputOfChannel = ({ kind, url, to, template, ...draft }: ChannelDraft) =>
  ({
    ...{ name: draft.name, description: draft.description || null, kind },
    url: kind === 'email' ? null : url || null,
    to: kind === 'email' ? partsOf(to) : [],
    template: kind === 'webhook' ? template || null : null,
  }) satisfies CreateChannelInput

export const inputOfRule = ({ on, groupBy, channels, flappingAfter, ...draft }: RuleDraft) =>
  ({
    ...draft,
    description: draft.description || null,
    on: [...on],
    groupBy: partsOf(groupBy),
    repeatInterval: draft.repeatInterval || null,
    flappingAfter: Number(flappingAfter),
    text: draft.text || null,
    channels: channels.map(({ id }) => id),
  }) satisfies CreateRuleInput

export const inputOfSilence = (draft: SilenceDraft) =>
  ({
    ...{ name: draft.name, description: draft.description || null, query: draft.query },
    ...{ from: draft.from || null, until: draft.until || null },
    weekly: draft.isWeekly
      ? { days: [...draft.days], from: draft.opens, to: draft.closes, timeZone: draft.timeZone }
      : null,
    ...{ reason: draft.reason, notifyAtEnd: draft.notifyAtEnd },
  }) satisfies CreateSilenceInput
