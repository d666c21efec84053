import type {
  CreateTriggerInput,
  RevisionFragment,
  RuleChange,
  TriggerDetailQuery,
  TriggerWebhook,
} from '../graph/generated.ts'
import {
  draftOfEarlierUnattended,
  draftOfUnattended,
  inputOfUnattended,
  NEW_UNATTENDED,
  type UnattendedDraft,
} from './unattended-draft.ts'

export type Trigger = NonNullable<TriggerDetailQuery['artifact']>

/** A trigger as its form has it. */
export interface TriggerDraft extends UnattendedDraft {
  /** Sender of requests, or changes of events. */
  startedBy: TriggerWebhook | 'query'
  query: string
  on: readonly RuleChange[]
  /** `***` stands for the stored one. */
  secret: string
  perHour: number
}

export const NEW_TRIGGER: TriggerDraft = {
  ...NEW_UNATTENDED,
  ...{ startedBy: 'query', query: '', secret: '', perHour: 10 },
  on: ['OPENED', 'REOPENED', 'RAISED'],
}

export const draftOfTrigger = (trigger: Trigger): TriggerDraft => ({
  ...draftOfUnattended(trigger),
  startedBy: trigger.webhook ?? 'query',
  query: trigger.query ?? '',
  on: trigger.on,
  secret: trigger.secret ?? '',
  perHour: trigger.perHour,
})

/** An earlier revision as a draft. The secret of then was not kept: that of today stays. */
export const draftOfEarlier = (trigger: Trigger, earlier: RevisionFragment): TriggerDraft => {
  const absent = { query: null, webhook: null }
  const now = draftOfTrigger({ ...trigger, ...absent, ...earlier.attributes })
  return { ...now, ...draftOfEarlierUnattended(trigger, earlier), secret: trigger.secret ?? '' }
}

/** Input for a draft. */
export const inputOfTrigger = (draft: TriggerDraft) => {
  const { startedBy, query, on, secret, perHour } = draft
  const isQuery = startedBy === 'query'
  return {
    ...inputOfUnattended(draft),
    ...{ query: isQuery ? query : null, on: [...on], perHour },
    ...{ webhook: isQuery ? null : startedBy, secret: isQuery ? null : secret || null },
  } satisfies CreateTriggerInput
}

/** Address that the sender of a webhook calls. */
export const addressOf = (name: string): string =>
  `${location.origin}/v1/triggers/${encodeURIComponent(name)}`

/** Makes a secret of 32 random bytes, in the form of the sender. */
export function newSecret(webhook: TriggerDraft['startedBy']): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  const text = btoa(String.fromCharCode(...bytes))
  return webhook === 'standard' ? `whsec_${text}` : text.replaceAll(/\W/g, '')
}
