import { AppError } from '../../../../schema/errors.ts'
import { currentRequest } from '../../../shared/request-scope.ts'
import { Budget } from '../../../shared/threads/budget.ts'
import type { ThrownInThread } from '../../../shared/threads/serve-tasks.ts'
import { type Excess, Threads } from '../../../shared/threads/threads.ts'
import { RunError, type RunErrorCode } from '../run-error.ts'
import type { EvaluationTasks } from './tasks.ts'

type TaskName = keyof EvaluationTasks

/** Runs what users can make take any time and memory, in threads that are ended when it takes too much. */
export interface Evaluation {
  /** @throws what the task throws; RunError EXPECTATION_TOO_SLOW for one that took too much */
  run<Name extends TaskName>(
    name: Name,
    input: Parameters<EvaluationTasks[Name]>[0],
    budget?: Budget,
  ): Promise<Awaited<ReturnType<EvaluationTasks[Name]>>>
}

export interface EvaluationThreads extends Evaluation {
  /** Time for one try of a step. */
  budget(): Budget
  /** The same threads, and one budget for all that a request runs in them. */
  ofRequests: Evaluation
  stop(): Promise<void>
}

/** Of the process: its main thread needs a processor, too. */
const MAX_THREADS = 2
/** A thread takes 40 MiB to begin with; all of them together stay within 500. */
const HEAP_MEBIBYTES = 200
const MAX_WAITING = 1_000
const IDLE_MS = 60_000

/** @param evaluationMs EVALUATION_MS: the time that one request or one try of a step may take here */
export function startEvaluation(evaluationMs: number): EvaluationThreads {
  const threads = new Threads({
    file: new URL('./evaluation-thread.ts', import.meta.url),
    max: MAX_THREADS,
    heapMebibytes: HEAP_MEBIBYTES,
    maxWaiting: MAX_WAITING,
    idleMs: IDLE_MS,
    revive,
    refuse,
  })
  const budget = () => new Budget('EVALUATION_MS', evaluationMs)
  const budgets = new WeakMap<object, Budget>()
  const requestBudget = (): Budget => {
    const request = currentRequest() ?? {}
    const known = budgets.get(request) ?? budget()
    budgets.set(request, known)
    return known
  }
  return {
    budget,
    ofRequests: {
      run: (name, input, given = requestBudget()) => threads.run(name, input, given),
    },
    run: (name, input, given = budget()) => threads.run(name, input, given),
    stop: () => threads.stop(),
  }
}

const ADVICE =
  'Use simpler patterns and paths or smaller values, or have the operator raise the limit'

function refuse(excess: Excess, { setting, ms }: Budget): Error {
  const message = {
    time: `The evaluation takes longer than ${ms} ms, which ${setting} allows. ${ADVICE}`,
    memory: `The evaluation takes more memory than ${HEAP_MEBIBYTES} MiB. Use simpler patterns and paths or smaller values`,
    waiting: `More than ${MAX_WAITING} evaluations wait already. Try again later`,
  }
  return new RunError('EXPECTATION_TOO_SLOW', message[excess])
}

function revive({ name, message, code }: ThrownInThread): Error {
  if (name === 'RunError') return new RunError(code as RunErrorCode, message) // as it was thrown there
  if (name === 'AppError') return new AppError(code as AppError['code'], message) // likewise
  return new Error(message)
}
