import { EXECUTION_ENDED } from '../../shared/execution-ended.ts'
import type { Job, Jobs } from '../../shared/jobs.ts'
import type { Logger } from '../../shared/logger.ts'
import type { PubSub } from '../../shared/pub-sub/pub-sub.ts'
import type { Secrets } from '../../shared/secrets.ts'
import { type RunUpdate, runScenario } from '../runners/run-scenario.ts'
import type { Sandbox } from '../runners/sandbox/sandbox.ts'
import { EXECUTE, EXECUTION_LOST, type ExecuteJob } from './execution.queues.ts'
import type { ExecutionRepository } from './execution.repository.ts'
import { type Ending, EXECUTION_CHANGED, type Execution } from './execution.ts'
import { UpdateRecorder } from './update-recorder.ts'

export interface WorkerDeps {
  repository: ExecutionRepository
  jobs: Jobs
  pubSub: PubSub
  secrets: Secrets
  sandbox: Sandbox
  log: Logger
  /** Executions at a time. */
  slots: number
}

/** Serves the queue of executions until the jobs are stopped. */
export async function serveExecutions(deps: WorkerDeps): Promise<void> {
  const { jobs, slots } = deps
  await jobs.declare(EXECUTION_LOST)
  // Served elsewhere, but an execution must be able to end before anybody has served it.
  await jobs.declare(EXECUTION_ENDED)
  await jobs.work<ExecuteJob>(EXECUTE, slots, (job) => run(withLogOf(job, deps), job))
  await jobs.work<ExecuteJob>(EXECUTION_LOST, 1, (job) => giveUp(withLogOf(job, deps), job))
}

/** Every line about a job says which execution it is and which request asked for it. */
const withLogOf = ({ data }: Job<ExecuteJob>, deps: WorkerDeps): WorkerDeps => ({
  ...deps,
  log: deps.log.child({ requestId: data.requestId, executionId: data.executionId }),
})

async function run(deps: WorkerDeps, { data, retryCount, signal }: Job<ExecuteJob>): Promise<void> {
  const { repository, pubSub, sandbox, secrets, log } = deps
  const claim = await repository.claim(data.executionId, retryCount + 1)
  if (!claim) return
  const { execution, snapshot, credentials } = claim
  log.info({ contextId: execution.contextId, attempt: execution.attempt }, 'Execution begins')
  const recorder = new UpdateRecorder(repository, pubSub, execution)
  const outcome = await runScenario(
    {
      ...snapshot,
      executionId: execution.id,
      contextId: execution.contextId,
      useCodeCoverage: execution.useCodeCoverage,
      ...(credentials ? { credentials: JSON.parse(secrets.open(credentials)) } : {}),
    },
    {
      onUpdate: (update) => recorder.add(update),
      signal: AbortSignal.any([signal, recorder.lost]),
      sandbox,
    },
  )
  const unwritten = await recorder.close()
  // A stopping worker hands the execution to another one instead of calling it an error.
  signal.throwIfAborted()
  if (!recorder.lost.aborted) await end(deps, execution, outcome, unwritten)
}

/** The second loss of a worker ends the execution. */
async function giveUp(deps: WorkerDeps, { data }: Job<ExecuteJob>): Promise<void> {
  const execution = await deps.repository.find(data.executionId)
  if (!execution) return
  const { steps, validationFailures, codeCoverage } = execution
  await end(deps, execution, {
    state: 'ERROR',
    message: 'The worker that ran this execution was lost twice',
    errorCode: 'WORKER_LOST',
    steps,
    validationFailures,
    codeCoverage,
  })
}

async function end(
  { repository, pubSub, log }: WorkerDeps,
  execution: Execution,
  ending: Ending,
  unwritten: readonly RunUpdate[] = [],
): Promise<void> {
  const { state, message, errorCode, steps, validationFailures, codeCoverage } = ending
  const result = { state, message, errorCode, steps, validationFailures, codeCoverage }
  if (!(await repository.finish(execution, result, new Date(), unwritten))) return
  log.info({ state, errorCode }, 'Execution ended')
  await pubSub.publish(EXECUTION_CHANGED, execution.id)
}
