import type { RevisionFragment } from '../graph/generated.ts'
import type { Named } from './forms/named-list.tsx'

/** Attributes that schedules and triggers share, as their forms have them. */
export interface UnattendedDraft {
  name: string
  description: string
  /** At most one. */
  target: readonly Named[]
  /** At most one. */
  environment: readonly Named[]
  credentialsFrom: string
  /** `name=value`, one on each line. */
  labels: string
  enabled: boolean
}

export const NEW_UNATTENDED: UnattendedDraft = {
  ...{ name: '', description: '', target: [], environment: [] },
  ...{ credentialsFrom: '', labels: '', enabled: true },
}

export interface Unattended {
  name: string
  description: string | null
  target: Named
  environment: Named | null
  credentialsFrom: string | null
  labels: unknown
  enabled: boolean
}

const named = ({ id, name }: Named): Named => ({ id, name })

const linesOf = (labels: unknown): string =>
  Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

export const draftOfUnattended = (stored: Unattended): UnattendedDraft => ({
  name: stored.name,
  description: stored.description ?? '',
  target: [named(stored.target)],
  environment: stored.environment ? [named(stored.environment)] : [],
  credentialsFrom: stored.credentialsFrom ?? '',
  labels: linesOf(stored.labels),
  enabled: stored.enabled,
})

/** An earlier revision as a draft; what it names and the stored one does not name any more is called by its id. */
export function draftOfEarlierUnattended(
  stored: Unattended,
  { name, description, attributes }: RevisionFragment,
): UnattendedDraft {
  const now = draftOfUnattended(stored)
  const known = [now.target, now.environment].flat()
  const namedBy = (id: unknown): readonly Named[] =>
    typeof id === 'string' ? [known.find((each) => each.id === id) ?? { id, name: id }] : []
  return {
    name,
    description: description ?? '',
    target: namedBy(attributes.target),
    environment: namedBy(attributes.environment),
    credentialsFrom: String(attributes.credentialsFrom ?? ''),
    labels: linesOf(attributes.labels),
    enabled: attributes.enabled === true,
  }
}

/** Input for what schedules and triggers share. */
export const inputOfUnattended = ({
  name,
  description,
  target,
  environment,
  credentialsFrom,
  labels,
  enabled,
}: UnattendedDraft) => ({
  name,
  description: description || null,
  target: target[0]?.id ?? '',
  environment: environment[0]?.id ?? null,
  credentialsFrom: credentialsFrom || null,
  labels: Object.fromEntries(
    labels
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => {
        const [label = '', ...value] = line.split('=')
        return [label.trim(), value.join('=').trim()]
      }),
  ),
  enabled,
})
