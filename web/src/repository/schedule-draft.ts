import type {
  CreateScheduleInput,
  MissedRun,
  Overlap,
  RevisionFragment,
  ScheduleDetailQuery,
} from '../graph/generated.ts'
import {
  draftOfEarlierUnattended,
  draftOfUnattended,
  inputOfUnattended,
  NEW_UNATTENDED,
  type UnattendedDraft,
} from './unattended-draft.ts'

export type Schedule = NonNullable<ScheduleDetailQuery['artifact']>

/** A schedule as its form has it. */
export interface ScheduleDraft extends UnattendedDraft {
  cron: string
  timeZone: string
  missed: MissedRun
  overlap: Overlap
  spread: string
}

export const NEW_SCHEDULE: ScheduleDraft = {
  ...NEW_UNATTENDED,
  cron: '0 2 * * *',
  timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  missed: 'SKIP',
  overlap: 'SKIP',
  spread: '0s',
}

export const draftOfSchedule = (schedule: Schedule): ScheduleDraft => ({
  ...draftOfUnattended(schedule),
  cron: schedule.cron,
  timeZone: schedule.timeZone,
  missed: schedule.missed,
  overlap: schedule.overlap,
  spread: schedule.spread,
})

export function draftOfEarlier(schedule: Schedule, earlier: RevisionFragment): ScheduleDraft {
  const { attributes } = earlier
  return {
    ...draftOfEarlierUnattended(schedule, earlier),
    cron: String(attributes.cron),
    timeZone: String(attributes.timeZone),
    missed: attributes.missed === 'ONCE' ? 'ONCE' : 'SKIP',
    overlap:
      attributes.overlap === 'QUEUE' || attributes.overlap === 'CANCEL'
        ? attributes.overlap
        : 'SKIP',
    spread: String(attributes.spread),
  }
}

/** Input for a draft. */
export const inputOfSchedule = (draft: ScheduleDraft) => {
  const { cron, timeZone, missed, overlap, spread } = draft
  return {
    ...inputOfUnattended(draft),
    ...{ cron, timeZone, missed, overlap, spread },
  } satisfies CreateScheduleInput
}
