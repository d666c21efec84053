import { deserialize, serialize } from 'node:v8'
import { hasLongInteger } from '../../../../formats/json/values.ts'
import type { Outbound } from '../../../../platform/outbound/outbound.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import type { Logger } from '../../../../platform/process/logger.ts'
import type { PubSub } from '../../../../platform/pub-sub/pub-sub.ts'
import type { Secrets } from '../../../../platform/secrets.ts'
import type { EvaluationProcesses } from '../../../../runner/evaluation/evaluation.ts'
import type { AttachmentLimits } from '../../../../runner/run/attachment.ts'
import type { RunEnvironment } from '../../../../runner/run/environment.ts'
import { logLine } from '../../../../runner/run/log.ts'
import {
  type RunOutcome,
  type RunUpdate,
  runScenario,
  type ScenarioRun,
} from '../../../../runner/run/run-scenario.ts'
import type { Sandbox } from '../../../../runner/sandbox/sandbox.ts'
import type { AttachmentRepository } from '../../attachments/attachment.repository.ts'
import type { SealedEnvironment } from '../accept/snapshot.ts'
import type { End } from '../end/end.repository.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionRepository } from '../execution.repository.ts'
import { type Ending, EXECUTION_CHANGED } from '../execution.ts'
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
  /** Keeps files that steps attach. */
  attachments: Pick<AttachmentRepository, 'keep' | 'used'>
  attachmentLimits: AttachmentLimits
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
  { execution, attemptsBefore, snapshot, credentials, captures }: Taken,
  signal: AbortSignal,
  ended: AbortSignal,
): Promise<End | null> {
  const { repository, pubSub, secrets, log } = deps
  const { environment, rerunAfterCrash, retries = 0, isSetup = false, subject, ...more } = snapshot
  const { environmentId: _, revisions: __, isQuarantined: ___, setupAt: ____, ...planned } = more
  if (attemptsBefore > 0 && !rerunAfterCrash)
    return endOf(execution, lost(execution, 'The worker that ran this execution was lost'))
  const secretValues = openSecrets(secrets, { environment, credentials, captures })
  if (secretValues instanceof Error) {
    log.error({ reason: secretValues.message }, 'Execution cannot read its secrets')
    return endOf(execution, unreadable(execution))
  }
  log.info({ contextId: execution.contextId, attempt: execution.attempt }, 'Execution begins')
  const scenario: ScenarioRun = {
    ...planned,
    ...secretValues,
    executionId: execution.id,
    contextId: execution.contextId,
    caller: JSON.stringify([execution.executedBy, execution.open, subject]),
    useCodeCoverage: execution.useCodeCoverage,
  }
  for (let tries = execution.tries.length; ; tries += 1) {
    const started = currentTime()
    const tried = await runOnce(deps, execution, scenario, { signal, ended })
    if (!tried) return null
    const { outcome, unwritten } = tried
    const { state, message, errorCode, steps, validationFailures } = outcome
    if (state === 'COMPLETED' || tries >= retries) {
      const kept = isSetup ? secrets.seal(capturesText(outcome.captures)) : null
      const ending = { ...outcome, captures: kept }
      return endOf({ ...execution, contextName: outcome.name }, ending, unwritten)
    }
    const earlier = { state, message, errorCode, steps, validationFailures }
    const text = `Try ${tries + 1} of ${retries + 1} ${state}${message && `: ${message}`}`
    const line = logLine(currentTime(), 'WARN', 'Execution', text)
    const updates: RunUpdate[] = [...unwritten, { kind: 'LOG', lines: [line] }]
    const isOurs = await repository.append(execution, updates, [], {
      ...earlier,
      started,
      ended: currentTime(),
    })
    if (!isOurs) return null
    void pubSub.publish(EXECUTION_CHANGED, execution.id)
  }
}

/** One try. @returns null when the execution was ended elsewhere */
async function runOnce(
  deps: RunDeps,
  execution: Execution,
  scenario: ScenarioRun,
  { signal, ended }: { signal: AbortSignal; ended: AbortSignal },
): Promise<{ outcome: RunOutcome; unwritten: RunUpdate[] } | null> {
  const { repository, pubSub, sandbox, outbound, commandSteps, evaluation } = deps
  const recorder = new UpdateRecorder(repository, pubSub, execution)
  let isTornDown = false
  const outcome = await runScenario(scenario, {
    onUpdate: (update) => recorder.add(update),
    signal: AbortSignal.any([signal, recorder.lost, ended]),
    teardown: {
      signal,
      async mayRun(isRunning) {
        if (signal.aborted || !(await isOver(repository, execution.id))) return false
        if (!isTornDown && !isRunning) recorder.forget()
        isTornDown = true
        return true
      },
    },
    sandbox,
    outbound,
    commandSteps,
    evaluation,
    onFolderLeft: (reason) => deps.log.warn({ reason }, 'Folder of the execution is left'),
    files: {
      limits: deps.attachmentLimits,
      used: () => deps.attachments.used(execution.id),
      keep: (file) => deps.attachments.keep(execution.id, execution.attempt, file),
    },
  })
  const unwritten = await recorder.close()
  // A stopping worker hands the execution to another one instead of calling it an error.
  signal.throwIfAborted()
  if (!recorder.lost.aborted && !ended.aborted) return { outcome, unwritten }
  if (isTornDown && (await repository.addTeardown(execution, unwritten, outcome.steps)))
    await pubSub.publish(EXECUTION_CHANGED, execution.id)
  return null
}

function endOf(
  execution: Execution,
  { state, message, errorCode, steps, validationFailures, codeCoverage, captures }: Ending,
  updates: End['updates'] = [],
): End {
  const ending = { state, message, errorCode, steps, validationFailures, codeCoverage, captures }
  return { execution, ending, ended: currentTime(), updates }
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

interface SealedForRun {
  environment: SealedEnvironment | undefined
  /** Credentials of the host. */
  credentials: string | null
  /** Captures of the setup of its suite. */
  captures: string | null
}

/** JSON, as all versions read it; what has long integers is not, as JSON of them is slow to write and to parse. */
const capturesText = (captures: RunOutcome['captures']): string =>
  hasLongInteger(captures) ? serialize(captures).toString('base64') : JSON.stringify(captures)

const readCaptures = (text: string): ScenarioRun['setup'] =>
  text.startsWith('{') ? JSON.parse(text) : deserialize(Buffer.from(text, 'base64'))

/** Opens the secrets that were sealed for a run. @returns the Error that says which key is missing */
function openSecrets(
  secrets: Secrets,
  { environment, credentials, captures }: SealedForRun,
): Pick<ScenarioRun, 'environment' | 'credentials' | 'setup'> | Error {
  try {
    return {
      ...(environment ? { environment: opened(environment, secrets) } : {}),
      ...(credentials ? { credentials: JSON.parse(secrets.open(credentials)) } : {}),
      ...(captures ? { setup: readCaptures(secrets.open(captures)) } : {}),
    }
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function opened({ sealed, ...environment }: SealedEnvironment, { open }: Secrets): RunEnvironment {
  const values = Object.entries(sealed).map(([name, text]) => [name, open(text)])
  return { ...environment, secrets: Object.fromEntries(values) }
}
