import type { Evaluation } from '../../runner/evaluation/evaluation.ts'
import { EVALUATION_TASKS } from '../../runner/evaluation/evaluation-tasks.ts'

/** Runs tasks without threads: for what they do, and not for how they are ended. */
export const inThisThread: Evaluation = {
  run: async (name, input) => (await EVALUATION_TASKS[name](input as never)) as never,
}
