import { Arg, Query, Resolver } from 'type-graphql'
import { AppError } from '../../../../schema/errors.ts'
import { judge } from '../../runners/expectations/expectation.ts'
import { RunError } from '../../runners/run-error.ts'
import {
  readScenario,
  referencesOf,
  validateExpectation,
  validateScenario,
} from '../../runners/scenario.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import type { ArtifactService } from '../artifact.service.ts'
import { COMPONENT } from '../component/component.kind.ts'
import {
  EvaluateExpectationInput,
  ExpectationEvaluation,
  ScenarioValidation,
} from './dry-run.type.ts'
import { TESTCASE } from './testcase.kind.ts'
import { ScenarioInput } from './testcase.type.ts'

/** What authors of scenarios try out without running anything. */
@Resolver()
export class DryRunResolver {
  constructor(private readonly artifacts: ArtifactService) {}

  @Query(() => ScenarioValidation, {
    description: 'Validates a scenario, and whether all that it names exists, without storing it.',
  })
  async validateScenario(
    @Arg('scenario', () => ScenarioInput, { description: 'An object, or YAML.' }) given: unknown,
  ): Promise<ScenarioValidation> {
    try {
      const scenario = validateScenario(await readScenario(given))
      const { components, scenarios } = referencesOf(scenario)
      await this.#mustExist(COMPONENT, components)
      await this.#mustExist(TESTCASE, scenarios)
      return { isValid: true, message: null }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { isValid: false, message: error.message }
    }
  }

  @Query(() => ExpectationEvaluation, {
    description: 'Evaluates one expectation against a given result, without running anything.',
  })
  evaluateExpectation(
    @Arg('input', () => EvaluateExpectationInput)
    { expectation, actual, caseInsensitiveCompare }: EvaluateExpectationInput,
  ): ExpectationEvaluation {
    const given = Object.entries(expectation).filter(([, value]) => value !== undefined)
    const valid = validateExpectation(Object.fromEntries(given))
    try {
      const unmet = judge(valid, actual, { ignoreCase: caseInsensitiveCompare })
      const { message = null, actualValue = null } = unmet ?? {}
      return { isMet: unmet === null, message, actualValue }
    } catch (error) {
      if (!(error instanceof RunError)) throw error
      throw new AppError('BAD_USER_INPUT', `expectation: ${error.message}`, { cause: error })
    }
  }

  async #mustExist(kind: ArtifactKind, ids: readonly string[]): Promise<void> {
    for (const id of ids)
      if (!(await this.artifacts.load(kind, id)))
        throw new AppError('BAD_USER_INPUT', `scenario names the ${kind.name} ${id}: there is none`)
  }
}
