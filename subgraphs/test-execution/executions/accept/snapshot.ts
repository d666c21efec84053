import { hash } from 'node:crypto'
import { AppError, notFound } from '../../../../formats/errors.ts'
import type { ComponentSource } from '../../../../runner/coverage/compile-component.ts'
import type { PlannedScenario } from '../../../../runner/run/context.ts'
import type { RunEnvironment } from '../../../../runner/run/environment.ts'
import type { ScenarioRun } from '../../../../runner/run/run-scenario.ts'
import { referencesOf, type Scenario } from '../../../../runner/scenario/scenario.ts'
import type { Artifact, ArtifactKind, SealedValues } from '../../artifacts/artifact.kind.ts'
import type { ArtifactSource } from '../../artifacts/artifact-source.ts'
import { COMPONENT } from '../../artifacts/component/component.kind.ts'
import type { Component } from '../../artifacts/component/component.type.ts'
import { ENVIRONMENT } from '../../artifacts/environment/environment.kind.ts'
import type { Environment } from '../../artifacts/environment/environment.type.ts'
import { TESTCASE } from '../../artifacts/testcase/testcase.kind.ts'
import type { TestCase } from '../../artifacts/testcase/testcase.type.ts'
import type { PlannedRun } from '../suite/suite-plan.ts'

/** Snapshot of a scenario that an execution runs: fixed when it is accepted, so later edits cannot change it. */
export type ExecutionSnapshot = Pick<
  ScenarioRun,
  'name' | 'component' | 'scenario' | 'components' | 'scenarios'
> & {
  environment?: SealedEnvironment
  /** True if it runs once more after its worker was lost. */
  rerunAfterCrash: boolean
  environmentId: string | null
  /** Subject that executes it, as an issuer says; its name may be that of others, too. */
  subject?: string
  /** Everything that it runs. */
  revisions: ArtifactRevision[]
  /** Further tries of one that does not succeed; absent in older ones, as all below. */
  retries?: number
  /** True if its failure counts for nothing in its suite. */
  isQuarantined?: boolean
  /** True if others of its suite read its captures. */
  isSetup?: boolean
  /** Position in the suite of the setup that it reads captures of. */
  setupAt?: number
}

/** An environment whose secrets only a worker opens. */
export type SealedEnvironment = Omit<RunEnvironment, 'secrets'> & { sealed: SealedValues }

/** Maximum depth of scenarios inside of each other. */
const MAX_SCENARIO_DEPTH = 10

const tooDeep = (path: string) =>
  new AppError('CONFLICT', `Scenarios run each other more than ${MAX_SCENARIO_DEPTH} deep: ${path}`)

/**
 * A scenario and all that it names, as they are stored now. Scenarios inside of it run in its environment; without one
 * of its own, that is the one its component is deployed in.
 * @returns the snapshot, and every scenario that runs in it
 * @throws AppError NOT_FOUND; CONFLICT when scenarios run each other in a circle, or too deep inside of each other
 */
export async function takeSnapshot(
  artifacts: ArtifactSource,
  { testCase, environmentId: chosenEnvironment, isOneOfSeveral, role, setupAt }: PlannedRun,
): Promise<{ snapshot: ExecutionSnapshot; testCases: TestCase[] }> {
  const named = new NamedArtifacts(artifacts)
  await named.visit(testCase)
  const { components, called, scenarios } = named
  const deployedIn = components.get(testCase.componentUnderTest ?? '')?.environment
  const environmentId = chosenEnvironment ?? testCase.environment ?? deployedIn ?? null
  const environment =
    environmentId === null
      ? null
      : ((await load(artifacts, ENVIRONMENT, environmentId)) as unknown as Environment)
  const all = [testCase, ...scenarios.values()]
  const snapshot: ExecutionSnapshot = {
    ...named.planned(testCase),
    ...(isOneOfSeveral && { name: `${testCase.name} [${environmentId}]` }),
    rerunAfterCrash: testCase.rerunAfterCrash,
    retries: testCase.retries,
    isQuarantined: testCase.quarantine,
    ...(role === 'SETUP' && { isSetup: true }),
    ...(setupAt !== null && { setupAt }),
    components: Object.fromEntries([...called].map((id) => [id, named.sourceOf(id)])),
    scenarios: Object.fromEntries([...scenarios].map(([id, each]) => [id, named.planned(each)])),
    ...(environment ? { environment: await sealed(artifacts, environment) } : {}),
    environmentId,
    revisions: [
      ...all.map(revisionOf(TESTCASE)).map(tagged(testCase)),
      ...[...components.values()].map(revisionOf(COMPONENT)),
      ...(environment ? [revisionOf(ENVIRONMENT)(environment)] : []),
    ],
  }
  return { snapshot, testCases: all }
}

/** Components and scenarios that a scenario names, and those that these name. */
class NamedArtifacts {
  readonly components = new Map<string, Component>()
  /** Components that `call` steps name. */
  readonly called = new Set<string>()
  readonly scenarios = new Map<string, TestCase>()
  readonly #depths = new Map<string, number>()

  constructor(private readonly artifacts: ArtifactSource) {}

  /** @returns how deep scenarios stand inside of it; 0 for one that runs no other */
  async visit(each: TestCase, around: readonly string[] = []): Promise<number> {
    const path = [...around, each.id].join(' → ')
    if (around.includes(each.id))
      throw new AppError('CONFLICT', `Scenarios run each other in a circle: ${path}`)
    if (around.length > MAX_SCENARIO_DEPTH) throw tooDeep(path)
    const known = this.#depths.get(each.id)
    if (known !== undefined) {
      if (around.length + known > MAX_SCENARIO_DEPTH) throw tooDeep(path)
      return known
    }
    let depth = 0
    const named = referencesOf(checked(each))
    for (const id of named.components) this.called.add(id)
    for (const id of [each.componentUnderTest ?? [], ...named.components].flat())
      this.components.set(id, (await load(this.artifacts, COMPONENT, id)) as unknown as Component)
    for (const id of named.scenarios) {
      const inner =
        this.scenarios.get(id) ??
        ((await load(this.artifacts, TESTCASE, id)) as unknown as TestCase)
      this.scenarios.set(id, inner)
      depth = Math.max(depth, 1 + (await this.visit(inner, [...around, each.id])))
    }
    this.#depths.set(each.id, depth)
    return depth
  }

  /** @param id of one that was visited */
  sourceOf(id: string): ComponentSource {
    const { name, language, sourceCode } = this.components.get(id) as Component // visited
    return { name, language, sourceCode }
  }

  planned(each: TestCase): PlannedScenario {
    return {
      name: each.name,
      component: each.componentUnderTest ? this.sourceOf(each.componentUnderTest) : null,
      scenario: checked(each),
    }
  }
}

const revisionOf =
  ({ name: kind }: ArtifactKind) =>
  ({ id, revision }: Pick<Artifact, 'id' | 'revision'>): ArtifactRevision => ({
    kind,
    id,
    revision,
  })

const tagged =
  ({ id, tags }: TestCase) =>
  (revision: ArtifactRevision): ArtifactRevision =>
    revision.id === id && tags.length > 0 ? { ...revision, tags } : revision

/** No scenario is stored unchecked. */
const checked = ({ scenario }: TestCase): Scenario => scenario as unknown as Scenario

async function sealed(
  artifacts: ArtifactSource,
  { id, name, baseUrl = null, variables, allowedHosts, runners }: Environment,
): Promise<SealedEnvironment> {
  const sealed = await artifacts.sealedSecrets(ENVIRONMENT, id)
  return { name, baseUrl, variables, allowedHosts, runners, sealed }
}

/** @throws AppError NOT_FOUND */
const load = async (artifacts: ArtifactSource, kind: ArtifactKind, id: string): Promise<Artifact> =>
  (await artifacts.find(kind, id)) ?? Promise.reject(notFound(kind.name, id))

/** An artifact as an execution has run it. */
export interface ArtifactRevision {
  /** `testcase`, `suite`, `component` or `environment`. */
  kind: string
  id: string
  /** 0 for one that was executed without being stored. */
  revision: number
  /** Tags of the scenario that was executed; absent where there is none, and of those that run inside of it. */
  tags?: string[]
}

/** The same for executions that ran the same; empty where one of them was not stored, which revision 0 says. */
export const digestOfRevisions = (revisions: readonly ArtifactRevision[]): string => {
  if (revisions.some(({ revision }) => revision === 0)) return ''
  const texts = revisions.map(({ kind, id, revision }) => `${kind} ${id} ${revision}`)
  return hash('sha256', [...new Set(texts)].sort().join('\n'), 'base64url').slice(0, 22)
}
