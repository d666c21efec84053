import { badInput } from '../../../../formats/errors.ts'
import { isTooDeep } from '../../../../formats/json/values.ts'
import type { Evaluation } from '../../../../runner/evaluation/evaluation.ts'
import { RunError } from '../../../../runner/run/error.ts'

/**
 * A scenario as a client gives it: JSON, or a text that is YAML. Anything else is for validation to refuse.
 * @throws AppError BAD_USER_INPUT that names the line
 */
export const readScenario = async (given: unknown, evaluation: Evaluation): Promise<unknown> =>
  typeof given === 'string' ? asUserInput('scenario', evaluation.run('readScenario', given)) : given

/** All faults of a scenario. @throws AppError BAD_USER_INPUT if the check exceeds its time limit */
export const faultsOfScenario = async (
  value: unknown,
  evaluation: Evaluation,
): Promise<string[]> =>
  isTooDeep(value)
    ? ['scenario is nested too deeply'] // too deep to be copied to another process, too
    : asUserInput('scenario', evaluation.run('scenarioFaults', value))

/** Takes limits of an evaluation for a fault of the input at `place`. @throws AppError BAD_USER_INPUT */
export const asUserInput = <Result>(place: string, evaluated: Promise<Result>): Promise<Result> =>
  evaluated.catch((cause: unknown) => {
    if (!(cause instanceof RunError)) throw cause
    throw badInput(`${place}: ${cause.message}`, { cause })
  })
