import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { Evaluation } from '../../../runner/evaluation/evaluation.ts'
import type { ArtifactSource } from '../artifacts/artifact-source.ts'
import { ENVIRONMENT } from '../artifacts/environment/environment.kind.ts'
import { AcceptTogether } from '../executions/accept/together.repository.ts'
import type { ExecutionRepository } from '../executions/execution.repository.ts'
import { type ExecutionDeps, ExecutionService } from '../executions/execution.service.ts'
import { DueRepository } from '../schedules/due.repository.ts'
import { Scheduler } from '../schedules/scheduler.ts'
import { ScheduleShare } from '../schedules/share.ts'
import { TriggerRepository } from '../triggers/trigger.repository.ts'
import { TriggerService } from '../triggers/trigger.service.ts'
import { OwnerRepository } from './owner.repository.ts'
import { UnattendedRuns } from './unattended-runs.ts'

export interface ScheduleSettings {
  /** SCHEDULES */
  isOn: boolean
  /** SCHEDULES_SHARE, in percent. */
  share: number
  /** False with AUTH_MODE=none. */
  needsSignIn: boolean
}

interface UnattendedOptions {
  em: ConstructorParameters<typeof DueRepository>[0]
  jobs: Jobs
  executions: ExecutionRepository
  accepting: Omit<ExecutionDeps, 'admission'>
  artifacts: ArtifactSource
  evaluation: Evaluation
  secrets: Pick<Secrets, 'open'>
  /** EXECUTIONS_QUEUE */
  queue: number
  settings: ScheduleSettings
  log: Logger
}

/** Schedules and triggers. Their runs are accepted as those of people, but for their own share of the queue. */
export function createUnattended(options: UnattendedOptions) {
  const { em, jobs, executions, artifacts, secrets, settings, queue, log } = options
  const dueRuns = new DueRepository(em, jobs)
  const triggers = new TriggerRepository(em, jobs)
  const owners = new OwnerRepository(em, settings.needsSignIn)
  const admission = new ScheduleShare(
    (atMost) => executions.waiting(atMost, ['SCHEDULE', 'TRIGGER']),
    Math.floor((queue * settings.share) / 100),
  )
  const service = new ExecutionService(executions, { ...options.accepting, admission })
  const together = new AcceptTogether(em, jobs, options.accepting)
  const runs = new UnattendedRuns(
    owners,
    service,
    together,
    admission,
    async (environment, name) => {
      const sealed = (await artifacts.sealedSecrets(ENVIRONMENT, environment))[name]
      return sealed === undefined ? null : secrets.open(sealed)
    },
  )
  const paused = async () => (settings.isOn ? dueRuns.hold() : 'SCHEDULES is paused')
  const { evaluation } = options
  return {
    ...{ paused, dueRuns, triggerStates: triggers },
    scheduler: new Scheduler({ due: dueRuns, runs, log }),
    triggers: new TriggerService({ triggers, runs, evaluation, secrets, paused, log }),
  }
}
