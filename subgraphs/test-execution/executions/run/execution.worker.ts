import { setTimeout as delay } from 'node:timers/promises'
import { EXECUTION_ENDED } from '../../../../platform/jobs/execution-ended.ts'
import type { Job } from '../../../../platform/jobs/job.ts'
import type { Jobs } from '../../../../platform/jobs/jobs.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import type { End } from '../end/end.repository.ts'
import { EndBatches, EndWatch } from '../end/ends.ts'
import type { Execution } from '../execution.entity.ts'
import { EXECUTE, EXECUTION_LOST, type ExecuteJob, isFinal } from '../execution.ts'
import type { ExecutionCounts } from './execution-metrics.ts'
import { lostEnd, type RunDeps, runExecution } from './run-execution.ts'

export interface WorkerDeps extends RunDeps {
  jobs: Jobs
  /** Executions at a time. */
  slots: number
  counts: ExecutionCounts
}

interface Worker extends WorkerDeps {
  endWatch: EndWatch
  ends: EndBatches
}

/** Serves the queue of executions until the jobs are stopped. */
export async function serveExecutions(deps: WorkerDeps): Promise<void> {
  const { jobs, slots, repository, pubSub } = deps
  const endWatch = new EndWatch(repository, pubSub)
  const worker = { ...deps, endWatch, ends: new EndBatches(repository, pubSub) }
  await jobs.declare(EXECUTION_LOST)
  // Served elsewhere, but an execution must be able to end before a process has served it.
  await jobs.declare(EXECUTION_ENDED)
  await jobs.work<ExecuteJob>(EXECUTE, slots, (job) => runPart(worker, job))
  await jobs.work<ExecuteJob>(EXECUTION_LOST, 1, (job) => giveUp(worker, job))
}

/**
 * Runs the executions of a job one after the other, without waiting until the end of one is written. The first attempt
 * takes all at once. After the loss of a worker each is taken at its turn: then its attempt shows which one ran when the
 * next worker was lost.
 */
async function runPart(worker: Worker, job: Job<ExecuteJob>): Promise<void> {
  const { data, retryCount, signal } = job
  if (data.tearsDown) await othersTornDown(worker, job)
  const ids = idsOf(data)
  const attempt = attemptOf(data, retryCount)
  const held = await hold(worker, attempt === 1 ? ids : ids.slice(0, 1), attempt)
  const waited = attempt === 1 ? held.get(data.executionId)?.execution.started : null
  const free = worker.counts.begun(waited ?? null)
  const failures: unknown[] = []
  const writes: Promise<unknown>[] = []
  let hasRun = false
  try {
    for (const id of ids) {
      if (signal.aborted) break
      if (!held.has(id))
        for (const [taken, each] of await hold(worker, [id], attempt)) held.set(taken, each)
      const each = held.get(id)
      if (!each || each.watch.signal.aborted) continue
      const { execution, snapshot, watch } = each
      // Its turn begins when that of the one before it is over.
      const begun = hasRun ? { ...each, execution: { ...execution, started: currentTime() } } : each
      hasRun = true
      const deps = withLogOf(worker, id, data)
      const isUrgent = id === ids.at(-1) || !snapshot.rerunAfterCrash
      await runExecution(deps, begun, signal, watch.signal).then(
        (end) => writes.push(write(deps, end, isUrgent).catch((error) => failures.push(error))),
        (error) => failures.push(error),
      )
      watch.release()
    }
  } catch (error) {
    failures.push(error)
  }
  free()
  for (const { watch } of held.values()) watch.release()
  await Promise.all(writes)
  // A stopping worker hands what is left to another one.
  signal.throwIfAborted()
  if (failures.length > 0) throw failures[0]
}

const LOOK_AGAIN_MS = 200
/** Time for the teardown of a cancelled scenario, 60 seconds, and as much again for one that it called. */
const OTHERS_TORN_DOWN_MS = 120_000

/** The teardown of a suite comes last (conformance: TX-183), behind teardowns of scenarios that a cancel cut off, too. */
async function othersTornDown({ repository, log }: Worker, { data, signal }: Job<ExecuteJob>) {
  const until = performance.now() + OTHERS_TORN_DOWN_MS
  while (await repository.waitsForOthers(data)) {
    if (performance.now() > until)
      return log.warn({ suiteId: data.tearsDown }, 'A suite is torn down before its scenarios')
    await delay(LOOK_AGAIN_MS, undefined, { signal })
  }
}

const idsOf = ({ executionId, rest = [] }: ExecuteJob): string[] => [executionId, ...rest]

const attemptOf = ({ before = 0 }: ExecuteJob, retryCount: number): number =>
  before + retryCount + 1

/** Takes executions (`take`), and notices from then on that one was ended elsewhere. */
async function hold({ repository, endWatch }: Worker, ids: readonly string[], attempt: number) {
  const taken = await repository.claim(ids, attempt)
  return new Map(
    [...taken].map(([id, each]) => [id, { ...each, watch: endWatch.watch(each.execution) }]),
  )
}

/** Every line about an execution says which one it is and which request asked for it. */
const withLogOf = (worker: Worker, executionId: string, { requestId }: ExecuteJob): Worker => ({
  ...worker,
  log: worker.log.child({ requestId, executionId }),
})

/** @param end null when the execution was ended elsewhere: a cancel, or another attempt, fences the writes of this one */
async function write({ ends, log, counts }: Worker, end: End | null, isUrgent: boolean) {
  if (!end || !(await ends.write(end, isUrgent))) return log.info('Execution was ended elsewhere')
  const { state, errorCode } = end.ending
  log.info({ state, errorCode }, 'Execution ended')
  counts.ended(state, end.execution.started)
}

/** Losses of workers after which a part is given up as a whole. */
const MOST_LOSSES = 10

/**
 * The second loss of a worker ends the execution that ran. Others of its part, which waited for their turn, go on in a
 * job of their own.
 */
async function giveUp(worker: Worker, { data }: Job<ExecuteJob>): Promise<void> {
  const { repository } = worker
  const last = attemptOf(data, EXECUTE.retryLimit ?? 0)
  const found = await Promise.all(idsOf(data).map((id) => repository.find(id)))
  const running = found.filter((each) => each !== null).filter(({ state }) => !isFinal(state))
  const isLost = ({ attempt }: Execution) => attempt === last || last > MOST_LOSSES
  const others = running.filter((each) => each.attempt < last && !isLost(each))
  const { executionId: _, rest: __, ...of } = data
  if (others.length > 0) await repository.runAgain(others, { ...of, before: last })
  for (const execution of running.filter(isLost))
    await write(withLogOf(worker, execution.id, data), lostEnd(execution, LOST_TWICE), true)
}

const LOST_TWICE = 'The worker that ran this execution was lost twice'
