import { badInput } from '../../../../formats/errors.ts'
import type { TimeBudget } from '../../../../platform/task-processes/task-processes.ts'
import type { Evaluation } from '../../../../runner/evaluation/evaluation.ts'
import type { CheckTools } from '../artifact.kind.ts'

/** Processor time for all artifacts of a call; EVALUATION_MS holds for each. */
const SET_EVALUATION_MS = 30_000

/** Validates many artifacts of one request: each has a budget of its own. */
export class SetEvaluation {
  #leftMs = SET_EVALUATION_MS

  constructor(
    private readonly tools: CheckTools,
    private readonly newBudget: () => TimeBudget,
  ) {}

  /** @throws AppError BAD_USER_INPUT once all of them take too long together, and what `run` throws */
  async ofOne<Result>(run: (tools: CheckTools) => Promise<Result>): Promise<Result> {
    if (this.#leftMs <= 0)
      throw badInput(
        `artifacts: validating them takes longer than ${SET_EVALUATION_MS} ms; split them into sets`,
      )
    const own = this.newBudget()
    const evaluation: Evaluation = {
      run: (name, input, budget = own, signal) =>
        this.tools.evaluation.run(name, input, budget, signal),
    }
    return run({ ...this.tools, evaluation }).finally(() => {
      this.#leftMs -= own.ms - own.leftMs
    })
  }
}
