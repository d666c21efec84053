import { AppError } from '../../../../formats/errors.ts'
import type { Secrets } from '../../../../platform/secrets.ts'
import type { Evaluation } from '../../../../runner/evaluation/evaluation.ts'
import { RunError } from '../../../../runner/run/error.ts'
import type { ComponentExports } from '../../../../runner/scenario/component-exports.ts'
import {
  callsOf,
  captureFaults,
  environmentNames,
  isAmong,
  rowFaults,
  variableFaults,
} from '../../../../runner/scenario/names.ts'
import {
  referencesOf as namedBySteps,
  type Scenario,
} from '../../../../runner/scenario/scenario.ts'
import { MAX_FAULTS } from '../../../../runner/scenario/schema.ts'
import {
  type GivenArtifact,
  type GivenFault,
  nameOf,
  type RawArtifact,
  readEach,
} from '../apply/given-artifacts.ts'
import { GivenSource } from '../apply/given-source.ts'
import type { SetEvaluation } from '../apply/set-evaluation.ts'
import type { ArtifactSource } from '../artifact-source.ts'
import { COMPONENT } from '../component/component.kind.ts'
import type { Component } from '../component/component.type.ts'
import { ENVIRONMENT } from '../environment/environment.kind.ts'
import type { Environment } from '../environment/environment.type.ts'
import { dangling, type Reference, referencesOf } from '../references.ts'
import { TESTCASE } from '../testcase/testcase.kind.ts'
import { suiteFaults } from './suite-faults.ts'

/** The store keeps no two artifacts of one kind and one name. */
function sharedNames(given: readonly GivenArtifact[]): GivenFault[] {
  const first = new Map<string, GivenArtifact>()
  return given.flatMap((each) => {
    const key = `${each.kind.name} ${each.name}`
    const named = first.get(key) ?? each
    first.set(key, named)
    if (named.id === each.id) return []
    const message = `its name "${each.name}" is also that of the ${nameOf(named)}`
    return [{ title: nameOf(each), message }]
  })
}

/** A scenario with what it is going to run over. */
export interface ScenarioContext {
  scenario: Scenario
  componentUnderTest?: string | null
  environment?: string | null
  /** Set if others run it, in their environment. */
  isInner?: boolean
}

async function isThere({ kinds, id }: Reference, source: ArtifactSource): Promise<boolean> {
  for (const kind of kinds) if (await source.find(kind, id)) return true
  return false
}

/** Finds before a run what would end it. It stores and runs nothing. */
export class ValidateService {
  constructor(
    private readonly store: ArtifactSource,
    private readonly secrets: Secrets,
    private readonly evaluation: () => SetEvaluation,
  ) {}

  /**
   * @param environmentId replaces the environments of scenarios
   * @returns each fault with the artifact that it is in, and what is odd about those that have none
   */
  async artifacts(
    raw: readonly RawArtifact[],
    environmentId?: string | null,
  ): Promise<{ faults: GivenFault[]; warnings: GivenFault[] }> {
    const warnings: GivenFault[] = []
    const evaluation = this.evaluation()
    const { given, faults } = await readEach(raw, evaluation)
    const source = new GivenSource(given, this.store, this.secrets)
    const inner = new Set(
      given.flatMap(
        ({ kind, fields }) =>
          kind === TESTCASE ? namedBySteps(fields.scenario as Scenario).scenarios : [], // it was read
      ),
    )
    for (const each of given) {
      const found = await this.#missing(each, source)
      if (each.kind === TESTCASE) {
        const place = {
          ...(each.fields as unknown as ScenarioContext), // it was read
          ...(environmentId && { environment: environmentId }),
          isInner: inner.has(each.id),
        }
        const names = await evaluation.ofOne((own) => this.scenario(place, own.evaluation, source))
        found.push(...names.slice(0, MAX_FAULTS))
        const odd = await evaluation.ofOne(({ evaluation: own }) =>
          own.run('scenarioWarnings', place.scenario),
        )
        warnings.push(...odd.map((message) => ({ title: nameOf(each), message })))
      }
      faults.push(...found.map((message) => ({ title: nameOf(each), message })))
    }
    faults.push(...sharedNames(given), ...suiteFaults(given))
    return { faults, warnings }
  }

  /** Names in a scenario that lead nowhere. What it refers to and is missing is for others to report. */
  async scenario(
    { scenario, componentUnderTest = null, environment = null, isInner = false }: ScenarioContext,
    evaluation: Evaluation,
    source: ArtifactSource = this.store,
  ): Promise<string[]> {
    const faults = [...variableFaults(scenario), ...captureFaults(scenario), ...rowFaults(scenario)]
    const exported = new Map<string, ComponentExports | null>()
    for (const call of callsOf(scenario)) {
      const id = call.component ?? componentUnderTest
      if (id === null) continue
      const found = exported.has(id)
        ? exported.get(id)
        : await this.#exportsOf(id, evaluation, source)
      exported.set(id, found ?? null)
      if (found && !found.more && !found.names.includes(call.function))
        faults.push(
          `the step ${call.step} calls ${call.function}, which the component ${id} does not export; it exports ${found.names.join(', ') || 'nothing'}`,
        )
    }
    const names = environmentNames(scenario)
    if (names.length === 0) return faults
    const place = environment ?? (await this.#deployedIn(componentUnderTest, source))
    if (place === null && isInner) return faults
    const known = place === null ? new Set<string>() : await this.#namesOf(place, source)
    const where = place === null ? 'there is no environment' : `the environment ${place} has no`
    for (const name of names)
      if (known && !isAmong(known, name))
        faults.push(
          place === null
            ? `it uses {{env.${name}}}, and ${where}: set environment`
            : `it uses {{env.${name}}}: ${where} such variable or secret`,
        )
    return faults
  }

  async #missing({ kind, fields }: GivenArtifact, source: ArtifactSource): Promise<string[]> {
    const faults: string[] = []
    for (const reference of referencesOf(kind, fields))
      if (!(await isThere(reference, source))) faults.push(dangling(reference).message)
    return faults
  }

  async #exportsOf(id: string, evaluation: Evaluation, source: ArtifactSource) {
    const component = (await source.find(COMPONENT, id)) as unknown as Component | null // of its kind
    if (!component) return null
    const { name, language, sourceCode } = component as Component & { name: string }
    try {
      return await evaluation.run('exportsOf', { name, language, sourceCode })
    } catch (error) {
      if (error instanceof AppError || error instanceof RunError) throw error
      return null // a fault of its source, which the run reports with its line
    }
  }

  async #deployedIn(component: string | null, source: ArtifactSource): Promise<string | null> {
    if (component === null) return null
    const found = (await source.find(COMPONENT, component)) as unknown as Component | null
    return found?.environment ?? null
  }

  /** Null for an environment that is not there. */
  async #namesOf(id: string, source: ArtifactSource): Promise<Set<string> | null> {
    const found = (await source.find(ENVIRONMENT, id)) as unknown as Environment | null
    if (!found) return null
    const { baseUrl, variables, secrets = [] } = found
    const own = [...Object.keys(variables), ...secrets.map(({ name }) => name)]
    return new Set(baseUrl ? ['baseUrl', ...own] : own)
  }
}
