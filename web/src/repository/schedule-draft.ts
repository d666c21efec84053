import type {
  CreateScheduleInput,
  MissedRun,
  Overlap,
  RevisionFragment,
  ScheduleDetailQuery,
} from '../graph/generated.ts'
import type { Named } from './forms/named-list.tsx'

export type Schedule = NonNullable<ScheduleDetailQuery['artifact']>

/** A schedule as its form has it. */
export interface ScheduleDraft {
  name: string
  description: string
  cron: string
  timeZone: string
  /** At most one. */
  target: readonly Named[]
  /** At most one. */
  environment: readonly Named[]
  credentialsFrom: string
  /** `name=value`, one on each line. */
  labels: string
  missed: MissedRun
  overlap: Overlap
  spread: string
  enabled: boolean
}

export const NEW_SCHEDULE: ScheduleDraft = {
  name: '',
  description: '',
  cron: '0 2 * * *',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  target: [],
  environment: [],
  credentialsFrom: '',
  labels: '',
  missed: 'SKIP',
  overlap: 'SKIP',
  spread: '0s',
  enabled: true,
}

const named = ({ id, name }: Named): Named => ({ id, name })

const linesOf = (labels: unknown): string =>
  Object.entries(labels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')

export const draftOfSchedule = (schedule: Schedule): ScheduleDraft => ({
  name: schedule.name,
  description: schedule.description ?? '',
  cron: schedule.cron,
  timeZone: schedule.timeZone,
  target: [named(schedule.target)],
  environment: schedule.environment ? [named(schedule.environment)] : [],
  credentialsFrom: schedule.credentialsFrom ?? '',
  labels: linesOf(schedule.labels),
  missed: schedule.missed,
  overlap: schedule.overlap,
  spread: schedule.spread,
  enabled: schedule.enabled,
})

/** An earlier revision as a draft; what it names and the schedule does not name any more is called by its id. */
export function draftOfEarlier(
  schedule: Schedule,
  { name, description, attributes }: RevisionFragment,
): ScheduleDraft {
  const now = draftOfSchedule(schedule)
  const known = [now.target, now.environment].flat()
  const namedBy = (id: unknown): readonly Named[] =>
    typeof id === 'string' ? [known.find((each) => each.id === id) ?? { id, name: id }] : []
  return {
    ...now,
    name,
    description: description ?? '',
    cron: String(attributes.cron),
    timeZone: String(attributes.timeZone),
    target: namedBy(attributes.target),
    environment: namedBy(attributes.environment),
    credentialsFrom: String(attributes.credentialsFrom ?? ''),
    labels: linesOf(attributes.labels),
    missed: attributes.missed === 'ONCE' ? 'ONCE' : 'SKIP',
    overlap:
      attributes.overlap === 'QUEUE' || attributes.overlap === 'CANCEL'
        ? attributes.overlap
        : 'SKIP',
    spread: String(attributes.spread),
    enabled: attributes.enabled === true,
  }
}

/** Input for a draft. */
export const inputOfSchedule = ({ target, environment, labels, ...draft }: ScheduleDraft) =>
  ({
    ...draft,
    description: draft.description || null,
    target: target[0]?.id ?? '',
    environment: environment[0]?.id ?? null,
    credentialsFrom: draft.credentialsFrom || null,
    labels: Object.fromEntries(
      labels
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => {
          const [name = '', ...value] = line.split('=')
          return [name.trim(), value.join('=').trim()]
        }),
    ),
  }) satisfies CreateScheduleInput
