import { EXECUTION_ENDED } from '../../shared/execution-ended.ts'
import type { Job, Jobs } from '../../shared/jobs.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Outbound } from '../../shared/outbound/outbound.ts'
import type { PubSub } from '../../shared/pub-sub/pub-sub.ts'
import type { Secrets } from '../../shared/secrets.ts'
import type { EvaluationProcesses } from '../runners/evaluation/evaluation.ts'
import { logLine } from '../runners/reports/log-line.ts'
import {
  type RunOutcome,
  type RunUpdate,
  runScenario,
  type ScenarioRun,
} from '../runners/run-scenario.ts'
import type { Sandbox } from '../runners/sandbox/sandbox.ts'
import { EndWatch } from './end-watch.ts'
import { EXECUTE, EXECUTION_LOST, type ExecuteJob } from './execution.queues.ts'
import type { ExecutionRepository } from './execution.repository.ts'
import { type Ending, EXECUTION_CHANGED, EXECUTION_OVER, type Execution } from './execution.ts'
import type { ExecutionCounts } from './execution-metrics.ts'
import { openSecrets } from './open-secrets.ts'
import { UpdateRecorder } from './update-recorder.ts'

export interface WorkerDeps {
  repository: ExecutionRepository
  jobs: Jobs
  pubSub: PubSub
  secrets: Secrets
  sandbox: Sandbox
  /** Reaches the addresses that steps name. */
  outbound: Outbound
  /** COMMAND_STEPS */
  commandSteps: boolean
  evaluation: EvaluationProcesses
  log: Logger
  /** Executions at a time. */
  slots: number
  counts: ExecutionCounts
}

/** Serves the queue of executions until the jobs are stopped. */
export async function serveExecutions(deps: WorkerDeps): Promise<void> {
  const { jobs, slots, repository, pubSub } = deps
  const endWatch = new EndWatch(repository, pubSub)
  await jobs.declare(EXECUTION_LOST)
  // Served elsewhere, but an execution must be able to end before a process has served it.
  await jobs.declare(EXECUTION_ENDED)
  await jobs.work<ExecuteJob>(EXECUTE, slots, (job) => run(withLogOf(job, deps), endWatch, job))
  await jobs.work<ExecuteJob>(EXECUTION_LOST, 1, (job) => giveUp(withLogOf(job, deps), job))
}

type Claim = NonNullable<Awaited<ReturnType<ExecutionRepository['claim']>>>

/** Every line about a job says which execution it is and which request asked for it. */
const withLogOf = ({ data }: Job<ExecuteJob>, deps: WorkerDeps): WorkerDeps => ({
  ...deps,
  log: deps.log.child({ requestId: data.requestId, executionId: data.executionId }),
})

async function run(deps: WorkerDeps, endWatch: EndWatch, job: Job<ExecuteJob>): Promise<void> {
  const { data, retryCount } = job
  const claim = await deps.repository.claim(data.executionId, retryCount + 1)
  if (!claim) return
  const { started, attempt } = claim.execution
  const free = deps.counts.begun(attempt === 1 ? started : null)
  await runClaimed(deps, endWatch, claim, job).finally(free)
}

async function runClaimed(
  deps: WorkerDeps,
  endWatch: EndWatch,
  { execution, snapshot, credentials, captures }: Claim,
  { signal }: Job<ExecuteJob>,
): Promise<void> {
  const { repository, pubSub, secrets, log } = deps
  const { environment, rerunAfterCrash, retries = 0, isSetup = false, ...more } = snapshot
  const { environmentId: _, revisions: __, isQuarantined: ___, setupAt: ____, ...planned } = more
  if (execution.attempt > 1 && !rerunAfterCrash)
    return end(deps, execution, lost(execution, 'The worker that ran this execution was lost'))
  const secretValues = openSecrets(secrets, { environment, credentials, captures })
  if (secretValues instanceof Error) {
    log.error({ reason: secretValues.message }, 'Execution cannot read its secrets')
    return end(deps, execution, unreadable(execution))
  }
  log.info({ contextId: execution.contextId, attempt: execution.attempt }, 'Execution begins')
  const scenario: ScenarioRun = {
    ...planned,
    ...secretValues,
    executionId: execution.id,
    contextId: execution.contextId,
    caller: JSON.stringify([execution.executedBy, execution.open]),
    useCodeCoverage: execution.useCodeCoverage,
  }
  for (let tries = execution.tries.length; ; tries += 1) {
    const started = new Date()
    const tried = await runOnce(deps, endWatch, execution, scenario, signal)
    if (!tried) return
    const { outcome, unwritten } = tried
    if (outcome.state === 'COMPLETED' || tries >= retries) {
      const kept = isSetup ? secrets.seal(JSON.stringify(outcome.captures)) : null
      const ending = { ...outcome, captures: kept }
      return end(deps, { ...execution, contextName: outcome.name }, ending, unwritten)
    }
    const { state, message, errorCode, steps, validationFailures } = outcome
    const earlier = { state, message, errorCode, steps, validationFailures }
    const text = `Try ${tries + 1} of ${retries + 1} ${state}${message && `: ${message}`}`
    const updates = [...unwritten, retryLine(text)]
    if (!(await repository.keepTry(execution, { ...earlier, started, ended: new Date() }, updates)))
      return log.info(ENDED_ELSEWHERE)
    void pubSub.publish(EXECUTION_CHANGED, execution.id)
  }
}

const retryLine = (text: string): RunUpdate => ({
  kind: 'LOG',
  lines: [logLine(new Date(), 'WARN', 'Execution', text)],
})

/** One try. @returns null when the execution was ended elsewhere meanwhile */
async function runOnce(
  deps: WorkerDeps,
  endWatch: EndWatch,
  execution: Execution,
  scenario: ScenarioRun,
  signal: AbortSignal,
): Promise<{ outcome: RunOutcome; unwritten: RunUpdate[] } | null> {
  const { repository, pubSub, sandbox, outbound, commandSteps, evaluation, log } = deps
  const recorder = new UpdateRecorder(repository, pubSub, execution)
  const ended = endWatch.watch(execution)
  let isTornDown = false
  const outcome = await runScenario(scenario, {
    onUpdate: (update) => recorder.add(update),
    signal: AbortSignal.any([signal, recorder.lost, ended.signal]),
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
  }).finally(ended.release)
  const unwritten = await recorder.close()
  // A stopping worker hands the execution to another one instead of calling it an error.
  signal.throwIfAborted()
  if (!recorder.lost.aborted && !ended.signal.aborted) return { outcome, unwritten }
  log.info(ENDED_ELSEWHERE)
  if (isTornDown && (await repository.addTeardown(execution, unwritten, outcome.steps)))
    await pubSub.publish(EXECUTION_CHANGED, execution.id)
  return null
}

/** A cancel, or another attempt, fences the writes of this one. */
const ENDED_ELSEWHERE = 'Execution was ended elsewhere'

/** A cancelled execution is torn down; one that another worker has begun again is that worker's. */
const isOver = async (repository: ExecutionRepository, id: string): Promise<boolean> => {
  const running = await repository.runningAttempts([id]).catch(() => null)
  return running !== null && !running.has(id)
}

/** The second loss of a worker ends the execution. */
async function giveUp(deps: WorkerDeps, { data }: Job<ExecuteJob>): Promise<void> {
  const execution = await deps.repository.find(data.executionId)
  if (!execution) return
  const message = 'The worker that ran this execution was lost twice'
  await end(deps, execution, lost(execution, message))
}

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

async function end(
  { repository, pubSub, log, counts }: WorkerDeps,
  execution: Execution,
  ending: Ending,
  unwritten: readonly RunUpdate[] = [],
): Promise<void> {
  const { state, message, errorCode, steps, validationFailures, codeCoverage, captures } = ending
  const result = { state, message, errorCode, steps, validationFailures, codeCoverage, captures }
  const ended = await repository.finish(execution, result, new Date(), unwritten)
  if (ended.length === 0) {
    log.info(ENDED_ELSEWHERE)
    return
  }
  log.info({ state, errorCode }, 'Execution ended')
  counts.ended(state, execution.started)
  for (const id of ended) await pubSub.publish(EXECUTION_OVER, id)
  if (execution.suiteId) await pubSub.publish(EXECUTION_CHANGED, execution.suiteId)
}
