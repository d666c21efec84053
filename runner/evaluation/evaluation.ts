import { AppError } from '../../formats/errors.ts'
import { LOAD_LIMITS } from '../../platform/load/limits.ts'
import type { ThrownInProcess } from '../../platform/task-processes/serve-tasks.ts'
import {
  type Excess,
  TaskProcesses,
  TimeBudget,
} from '../../platform/task-processes/task-processes.ts'
import { currentOperation } from '../../platform/tracing/trace.ts'
import { RunError, type RunErrorCode } from '../run/error.ts'
import type { EvaluationTasks } from './tasks.ts'

type TaskName = keyof EvaluationTasks

/** Runs what users can make take any time and memory, in processes that are ended when it takes too much. */
export interface Evaluation {
  /**
   * @param signal takes it out while it waits
   * @throws what the task throws; RunError EXPECTATION_TOO_SLOW for one that took too much, AppError OVERLOADED; the
   * reason of the signal
   */
  run<Name extends TaskName>(
    name: Name,
    input: Parameters<EvaluationTasks[Name]>[0],
    budget?: TimeBudget,
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<EvaluationTasks[Name]>>>
}

/** For executions: their tasks wait as long as it takes. */
export interface EvaluationProcesses extends Evaluation {
  /** Time for one try of a step. */
  budget(): TimeBudget
  /** For an execution, whose tasks take turns with those of others. */
  ofExecution(id: string): Evaluation
  /** For callers: one budget for all that a request runs, in a process that no execution waits for. */
  ofRequests: Evaluation
  stop(): Promise<void>
}

/** One process for requests and one for executions: a process takes 40 MiB to begin with, both stay within 500. */
const HEAP_MEBIBYTES = 200
/** Requests that wait; an execution is not refused, as WORKER_SLOTS bounds how many there are. */
const { most: MAX_WAITING, mostOfOne: MAX_WAITING_OF_CALLER } = LOAD_LIMITS.evaluations
const RETRY_AFTER_SECONDS = 1
const IDLE_MS = 60_000

/** @param evaluationMs EVALUATION_MS: the time that one request or one try of a step may take here */
export function startEvaluation(evaluationMs: number): EvaluationProcesses {
  const options = {
    file: new URL('./evaluation-process.ts', import.meta.url),
    max: 1,
    heapMebibytes: HEAP_MEBIBYTES,
    idleMs: IDLE_MS,
    revive,
    refuse,
  }
  const ofExecutions = new TaskProcesses({ ...options, maxWaiting: Number.POSITIVE_INFINITY })
  const ofRequests = new TaskProcesses({
    ...options,
    maxWaiting: MAX_WAITING,
    maxWaitingOfOne: MAX_WAITING_OF_CALLER,
  })
  const budget = () => new TimeBudget('EVALUATION_MS', evaluationMs)
  const budgets = new WeakMap<object, TimeBudget>()
  const requestBudget = (): TimeBudget => {
    const operation = currentOperation() ?? {}
    const known = budgets.get(operation) ?? budget()
    budgets.set(operation, known)
    return known
  }
  return {
    budget,
    ofRequests: {
      run: (name, input, given = requestBudget(), signal) =>
        ofRequests.run(name, input, given, currentOperation()?.owner, signal),
    },
    ofExecution: (id) => ({
      run: (name, input, given = budget(), signal) =>
        ofExecutions.run(name, input, given, id, signal),
    }),
    run: (name, input, given = budget(), signal) =>
      ofExecutions.run(name, input, given, given, signal),
    async stop() {
      await Promise.all([ofRequests.stop(), ofExecutions.stop()])
    },
  }
}

const ADVICE =
  'Use simpler patterns and paths or smaller values, or have the operator raise the limit'

const TOO_DEEP =
  'The evaluation never comes to an end, or goes too deep: is there a schema that refers to itself?'

function refuse(excess: Excess, { setting, ms }: TimeBudget): Error {
  if (excess === 'waiting')
    return new AppError(
      'OVERLOADED',
      `Too many evaluations wait already: ${MAX_WAITING_OF_CALLER} of one caller may, and ${MAX_WAITING} in all. Try again later`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    )
  const message = {
    time: `The evaluation takes longer than ${ms} ms, which ${setting} allows. ${ADVICE}`,
    memory: `The evaluation takes more memory than ${HEAP_MEBIBYTES} MiB. Use simpler patterns and paths or smaller values`,
  }
  return new RunError('EXPECTATION_TOO_SLOW', message[excess])
}

function revive({ name, message, code }: ThrownInProcess): Error {
  if (name === 'RunError') return new RunError(code as RunErrorCode, message) // as it was thrown there
  if (name === 'RangeError') return new RunError('EXPECTATION_TOO_SLOW', TOO_DEEP)
  if (name === 'AppError') return new AppError(code as AppError['code'], message) // likewise
  return new Error(message)
}
