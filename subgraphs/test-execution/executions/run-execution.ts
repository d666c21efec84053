import type { Logger } from '../../shared/logger.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import type { PubSub } from '../../shared/pub-sub/pub-sub.ts'
import type { Secrets } from '../../shared/secrets.ts'
import type { EvaluationProcesses } from '../runners/evaluation/evaluation.ts'
import { runScenario } from '../runners/run-scenario.ts'
import type { Sandbox } from '../runners/sandbox/sandbox.ts'
import type { ExecutionRepository } from './execution.repository.ts'
import { type Ending, EXECUTION_CHANGED, type Execution } from './execution.ts'
import type { End } from './execution-end.repository.ts'
import { openSecrets } from './open-secrets.ts'
import type { Taken } from './progress.repository.ts'
import { UpdateRecorder } from './update-recorder.ts'

export interface RunDeps {
  repository: ExecutionRepository
  pubSub: PubSub
  secrets: Secrets
  sandbox: Sandbox
  /** Reaches the addresses that steps name. */
  outbound: Outbound
  /** COMMAND_STEPS */
  commandSteps: boolean
  evaluation: EvaluationProcesses
  log: Logger
}

/**
 * Runs an execution that was taken, and writes what it reports.
 * @param signal aborted when the job is no longer ours
 * @param ended aborted when the execution was ended elsewhere
 * @returns its end, not yet written; null when it was ended elsewhere
 * @throws when the job is no longer ours, or storage failed
 */
export async function runExecution(
  deps: RunDeps,
  { execution, attemptsBefore, snapshot, credentials }: Taken,
  signal: AbortSignal,
  ended: AbortSignal,
): Promise<End | null> {
  const { repository, pubSub, sandbox, outbound, commandSteps, evaluation, secrets, log } = deps
  const { environment, rerunAfterCrash, environmentId: _, revisions: __, ...planned } = snapshot
  if (attemptsBefore > 0 && !rerunAfterCrash)
    return endOf(execution, lost(execution, 'The worker that ran this execution was lost'))
  const secretValues = openSecrets(secrets, environment, credentials)
  if (secretValues instanceof Error) {
    log.error({ reason: secretValues.message }, 'Execution cannot read its secrets')
    return endOf(execution, unreadable(execution))
  }
  log.info({ contextId: execution.contextId, attempt: execution.attempt }, 'Execution begins')
  const recorder = new UpdateRecorder(repository, pubSub, execution)
  let isTornDown = false
  const outcome = await runScenario(
    {
      ...planned,
      ...secretValues,
      executionId: execution.id,
      contextId: execution.contextId,
      caller: JSON.stringify([execution.executedBy, execution.open]),
      useCodeCoverage: execution.useCodeCoverage,
    },
    {
      onUpdate: (update) => recorder.add(update),
      signal: AbortSignal.any([signal, recorder.lost, ended]),
      async teardownSignal() {
        if (!(await isOver(repository, execution.id))) return null
        if (!isTornDown) recorder.forget()
        isTornDown = true
        return signal
      },
      sandbox,
      outbound,
      commandSteps,
      evaluation,
    },
  )
  const unwritten = await recorder.close()
  // A stopping worker hands the execution to another one instead of calling it an error.
  signal.throwIfAborted()
  if (recorder.lost.aborted || ended.aborted) {
    if (isTornDown && (await repository.addTeardown(execution, unwritten, outcome.steps)))
      await pubSub.publish(EXECUTION_CHANGED, execution.id)
    return null
  }
  return endOf({ ...execution, contextName: outcome.name }, outcome, unwritten)
}

function endOf(
  execution: Execution,
  { state, message, errorCode, steps, validationFailures, codeCoverage }: Ending,
  updates: End['updates'] = [],
): End {
  const ending = { state, message, errorCode, steps, validationFailures, codeCoverage }
  return { execution, ending, ended: new Date(), updates }
}

/** A cancelled execution is torn down; one that another worker has begun again is that worker's. */
const isOver = async (repository: ExecutionRepository, id: string): Promise<boolean> => {
  const running = await repository.runningAttempts([id]).catch(() => null)
  return running !== null && !running.has(id)
}

/** @param message which loss of a worker ends it */
export const lostEnd = (execution: Execution, message: string): End =>
  endOf(execution, lost(execution, message))

const lost = (execution: Execution, message: string): Ending =>
  failed(execution, 'WORKER_LOST', message)

/** The reason is for operators: the log has it. */
const unreadable = (execution: Execution): Ending =>
  failed(
    execution,
    'SECRETS_UNREADABLE',
    'The secrets of this execution cannot be read with the SECRETS_KEY of the worker; its log says why',
  )

const failed = (
  { steps, validationFailures, codeCoverage }: Execution,
  errorCode: string,
  message: string,
): Ending => ({
  state: 'ERROR',
  message,
  errorCode,
  steps,
  validationFailures,
  codeCoverage,
})
