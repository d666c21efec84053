import type { Logger } from '../../../platform/process/logger.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { ArtifactSource } from '../artifacts/artifact-source.ts'
import { ENVIRONMENT } from '../artifacts/environment/environment.kind.ts'
import type { ExecutionRepository } from '../executions/execution.repository.ts'
import { type ExecutionDeps, ExecutionService } from '../executions/execution.service.ts'
import type { DueRepository } from './due.repository.ts'
import { Scheduler } from './scheduler.ts'
import { ScheduleShare } from './share.ts'

export interface ScheduleSettings {
  /** SCHEDULES */
  isOn: boolean
  /** SCHEDULES_SHARE, in percent. */
  share: number
  /** False with AUTH_MODE=none. */
  needsSignIn: boolean
}

interface SchedulesOptions {
  due: DueRepository
  executions: ExecutionRepository
  accepting: Omit<ExecutionDeps, 'admission'>
  artifacts: ArtifactSource
  secrets: Pick<Secrets, 'open'>
  /** EXECUTIONS_QUEUE */
  queue: number
  settings: ScheduleSettings
  log: Logger
}

/** The scheduler, which accepts executions as people do, but for its own share of the queue. */
export function createScheduler({
  due,
  executions,
  accepting,
  artifacts,
  secrets,
  queue,
  settings,
  log,
}: SchedulesOptions): Scheduler {
  const admission = new ScheduleShare(
    (atMost) => executions.waiting(atMost, ['SCHEDULE', 'TRIGGER']),
    Math.floor((queue * settings.share) / 100),
  )
  return new Scheduler({
    due,
    executions: new ExecutionService(executions, { ...accepting, admission }),
    secretOf: async (environment, name) => {
      const sealed = (await artifacts.sealedSecrets(ENVIRONMENT, environment))[name]
      return sealed === undefined ? null : secrets.open(sealed)
    },
    log,
  })
}
