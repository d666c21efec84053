import { DURATION_PATTERN, durationMs } from '../../../../formats/duration.ts'
import { badInput } from '../../../../formats/errors.ts'
import { forgetSchedule, storeSchedule } from '../../schedules/schedule-state.repository.ts'
import { runTimes, type Timing } from '../../schedules/times.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'
import { SUITE } from '../suite/suite.kind.ts'
import { TESTCASE } from '../testcase/testcase.kind.ts'
import { checkUnattended, UNATTENDED } from '../unattended.ts'

const MOST_SPREAD_MS = 86_400_000

/** Times at which a scenario or suite is executed. */
export const SCHEDULE: ArtifactKind = {
  name: 'schedule',
  typeName: 'Schedule',
  idSpace: 'schedule',
  references: { target: [SUITE, TESTCASE], environment: ENVIRONMENT },
  properties: {
    cron: { type: 'string', maxLength: 255 },
    timeZone: { type: 'string', maxLength: 255, default: 'UTC' },
    missed: { type: 'string', enum: ['SKIP', 'ONCE'], default: 'SKIP' },
    overlap: { type: 'string', enum: ['SKIP', 'QUEUE', 'CANCEL'], default: 'SKIP' },
    spread: {
      type: 'string',
      pattern: DURATION_PATTERN,
      description: 'a duration such as 30s, 5m or 1h',
      default: '0s',
    },
    ...UNATTENDED,
  },
  required: ['cron', 'target'],
  shown: ['nextRuns', 'storedBy', 'lastRunAt', 'lastResultId', 'failure'],
  check(fields) {
    checkUnattended('schedule', fields)
    if (durationMs(String(fields.spread)) > MOST_SPREAD_MS)
      throw badInput('spread: expected at most 24h')
    try {
      runTimes('', fields as unknown as Timing)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw badInput(`${message.includes('no time zone') ? 'timeZone' : 'cron'}: ${message}`, {
        cause: error,
      })
    }
  },
  stored: storeSchedule,
  removed: forgetSchedule,
}
