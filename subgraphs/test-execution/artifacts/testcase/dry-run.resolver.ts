import { Arg, ID, Query, Resolver } from 'type-graphql'
import { AppError, badInput } from '../../../../formats/errors.ts'
import { isTooDeep } from '../../../../formats/json/values.ts'
import type { Evaluation } from '../../../../runner/evaluation/evaluation.ts'
import { referencesOf, type Scenario, stepsOf } from '../../../../runner/scenario/scenario.ts'
import { COMMAND_STEPS_OFF } from '../../../../runner/steps/command-steps.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import type { ArtifactService } from '../artifact.service.ts'
import { COMPONENT } from '../component/component.kind.ts'
import type { ScenarioContext, ValidateService } from '../validate/validate.service.ts'
import {
  EvaluateExpectationInput,
  ExpectationEvaluation,
  RequestSteps,
  ScenarioValidation,
} from './dry-run.type.ts'
import { asUserInput, faultsOfScenario, readScenario } from './read-scenario.ts'
import { TESTCASE } from './testcase.kind.ts'
import { ScenarioInput } from './testcase.type.ts'

/** Dry runs for authors of scenarios: nothing runs. */
@Resolver()
export class DryRunResolver {
  constructor(
    private readonly artifacts: ArtifactService,
    private readonly evaluation: Evaluation,
    private readonly commandSteps: boolean,
    private readonly places: Pick<ValidateService, 'scenario'>,
  ) {}

  @Query(() => ScenarioValidation, {
    description: 'Validates a scenario, and whether all that it names exists, without storing it.',
  })
  async validateScenario(
    @Arg('scenario', () => ScenarioInput, { description: 'An object, or YAML.' }) given: unknown,
    @Arg('componentUnderTest', () => ID, {
      nullable: true,
      description: 'The component that it is to test: finds functions that it does not export.',
    })
    componentUnderTest?: string | null,
    @Arg('environment', () => ID, {
      nullable: true,
      description: 'The environment that it is to run in: finds unknown names in templates.',
    })
    environment?: string | null,
  ): Promise<ScenarioValidation> {
    const faults = await this.#faultsOf(given, { componentUnderTest, environment })
    return { isValid: faults.length === 0, message: faults[0] ?? null, faults }
  }

  @Query(() => ExpectationEvaluation, {
    description: 'Evaluates one expectation against a given result, without running anything.',
  })
  async evaluateExpectation(
    @Arg('input', () => EvaluateExpectationInput)
    { expectation, actual, caseInsensitiveCompare }: EvaluateExpectationInput,
  ): Promise<ExpectationEvaluation> {
    const given = Object.entries(expectation).filter(([, value]) => value !== undefined)
    if (isTooDeep(actual)) throw badInput('actual is nested too deeply')
    if (isTooDeep(expectation.value)) throw badInput('expectation is nested too deeply')
    const evaluated = {
      expectation: Object.fromEntries(given),
      actual,
      ignoreCase: caseInsensitiveCompare,
    }
    const unmet = await asUserInput('expectation', this.evaluation.run('evaluate', evaluated))
    const { message = null, actualValue = null } = unmet ?? {}
    return { isMet: unmet === null, message, actualValue }
  }

  @Query(() => RequestSteps, {
    description:
      'Reads requests as `http` steps, without storing anything: a command line of curl, or the operations of an OpenAPI 3 document.',
  })
  requestSteps(
    @Arg('text', () => String, {
      description: 'The command line, or the document as YAML or JSON, up to 1 MiB.',
    })
    text: string,
  ): Promise<RequestSteps> {
    return asUserInput('text', this.evaluation.run('readRequests', text))
  }

  async #faultsOf(given: unknown, place: Omit<ScenarioContext, 'scenario'>): Promise<string[]> {
    try {
      const read = await readScenario(given, this.evaluation)
      const faults = await faultsOfScenario(read, this.evaluation)
      if (faults.length > 0) return faults
      const { components, scenarios } = referencesOf(read as Scenario) // it has no faults
      const missing = [this.#missing(COMPONENT, components), this.#missing(TESTCASE, scenarios)]
      // Without a place its environment is unknown.
      const isInner = !place.componentUnderTest && !place.environment
      const scenario = { ...place, isInner, scenario: read as Scenario }
      const unknown = await this.places.scenario(scenario, this.evaluation)
      return [
        ...this.#commands(read as Scenario),
        ...(await Promise.all(missing)).flat(),
        ...unknown.map((fault) => `scenario: ${fault}`),
      ]
    } catch (error) {
      if (error instanceof AppError && error.code === 'BAD_USER_INPUT') return [error.message]
      throw error
    }
  }

  #commands(scenario: Scenario): string[] {
    if (this.commandSteps) return []
    return stepsOf(scenario, 'COMMAND').map(
      ({ id }) => `scenario starts a program in its step ${id}: ${COMMAND_STEPS_OFF}`,
    )
  }

  async #missing(kind: ArtifactKind, ids: readonly string[]): Promise<string[]> {
    const found = await Promise.all(ids.map((id) => this.artifacts.find(kind, id)))
    return ids
      .filter((_, at) => !found[at])
      .map((id) => `scenario names the ${kind.name} ${id}: there is none`)
  }
}
