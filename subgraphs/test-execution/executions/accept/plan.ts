import { v7 as uuidv7 } from 'uuid'
import { AppError, notFound } from '../../../../formats/errors.ts'
import type { Caller } from '../../../../platform/access/caller.ts'
import { type Scenario, stepsOf } from '../../../../runner/scenario/scenario.ts'
import { COMMAND_STEPS_OFF } from '../../../../runner/steps/command-steps.ts'
import type { ArtifactSource } from '../../artifacts/artifact-source.ts'
import { SUITE } from '../../artifacts/suite/suite.kind.ts'
import type { Suite } from '../../artifacts/suite/suite.type.ts'
import { TESTCASE } from '../../artifacts/testcase/testcase.kind.ts'
import type { TestCase } from '../../artifacts/testcase/testcase.type.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecutionTypeName } from '../execution.ts'
import { type PlannedRun, runAlone, runsOfSuite, type ScenarioChoice } from '../suite/suite-plan.ts'
import { newSuiteRun, type PlannedMember } from '../suite/suite-run.ts'
import { concealed, requireOpen } from './run-right.ts'
import { type ArtifactRevision, digestOfRevisions, takeSnapshot } from './snapshot.ts'

/** Artifact to be executed, with its runs. */
interface Executable {
  context: TestCase | Suite
  runs: readonly PlannedRun[]
}

/** Artifact with what it is going to run. */
interface Planned {
  context: TestCase | Suite
  members: PlannedMember[]
}

/** Artifacts that an execution runs over, where that is not the store as it stands. */
export interface PlannedOver extends ScenarioChoice {
  artifacts?: ArtifactSource | null
  /** True if the caller brings the artifacts, and could open closed ones. */
  isOwn?: boolean
  environmentId?: string | null
}

interface Chosen {
  environmentId: string | null
  isOwn: boolean
  choice: ScenarioChoice
}

/** Finds out what an execution is going to run, and whether it may. It writes nothing. */
export class ExecutionPlanner {
  constructor(
    private readonly artifacts: ArtifactSource,
    /** COMMAND_STEPS */
    private readonly commandSteps: boolean,
    private readonly chosen: Chosen = { environmentId: null, isOwn: false, choice: {} },
  ) {}

  /** The same over other artifacts, or in an environment that replaces those of the scenarios. */
  over({ artifacts, isOwn = false, environmentId, ...choice }: PlannedOver): ExecutionPlanner {
    return new ExecutionPlanner(artifacts ?? this.artifacts, this.commandSteps, {
      environmentId: environmentId ?? this.chosen.environmentId,
      isOwn,
      choice,
    })
  }

  /**
   * Finds an artifact, and plans it.
   * @param type the other type is refused
   * @throws AppError NOT_FOUND, CONFLICT (the suite is empty); UNAUTHENTICATED for a stranger; as `members`
   */
  async plan(
    contextId: string,
    type: ExecutionTypeName | null | undefined,
    hasCredentials: boolean,
    caller: Caller,
  ): Promise<Planned> {
    const { context, runs } = await concealed(caller, this.#find(contextId, type))
    const what = `the ${isSuite(context) ? 'suite' : 'testcase'} ${contextId}`
    return { context, members: await this.members(runs, what, hasCredentials, caller) }
  }

  /**
   * Judges scenarios, and those that they run inside of them, before it plans them.
   * @param what names what they are executed as
   * @throws AppError as `requireOpen`; UNAUTHENTICATED for a stranger who chooses an environment; FORBIDDEN (command steps are off); as `takeSnapshot`
   */
  async members(
    runs: readonly PlannedRun[],
    what: string,
    hasCredentials: boolean,
    caller: Caller,
  ): Promise<PlannedMember[]> {
    const isOpen = hasCredentials || this.chosen.isOwn
    const testCases = runs.map(({ testCase }) => testCase)
    requireOpen(caller, testCases, isOpen, what)
    return Promise.all(
      runs.map(async (run) => {
        const { snapshot, testCases: all } = await takeSnapshot(this.artifacts, {
          ...run,
          environmentId: run.environmentId ?? this.chosen.environmentId,
        })
        requireOpen(caller, all, isOpen, what)
        if (!this.commandSteps) for (const each of all) refuseCommands(each)
        const { id: contextId, useCodeCoverage } = run.testCase
        const { needs, role } = run
        const own = { needs, isTeardown: role === 'TEARDOWN' }
        const { subject } = caller
        const known = subject === undefined ? snapshot : { ...snapshot, subject }
        return { ...own, contextId, contextName: snapshot.name, useCodeCoverage, snapshot: known }
      }),
    )
  }

  async #find(contextId: string, type: ExecutionTypeName | null | undefined): Promise<Executable> {
    const kinds = type ? [type === 'SUITE' ? SUITE : TESTCASE] : [TESTCASE, SUITE]
    for (const kind of kinds) {
      const found = await this.artifacts.find(kind, contextId)
      // The attributes of its kind were checked when it was stored.
      const context = found as unknown as TestCase | Suite | null
      if (context)
        return {
          context,
          runs: isSuite(context) ? await this.#runsOf(context) : [runAlone(context)],
        }
    }
    throw notFound(kinds.map(({ name }) => name).join(' or '), contextId)
  }

  async #runsOf(suite: Suite): Promise<PlannedRun[]> {
    const { id, testCases, setup = null, teardown = null } = suite
    if (testCases.length === 0)
      throw new AppError('CONFLICT', `The suite ${id} is empty: add a testcase to execute it`)
    const find = async (testCaseId: string) =>
      ((await this.artifacts.find(TESTCASE, testCaseId)) ??
        Promise.reject(notFound(TESTCASE.name, testCaseId))) as unknown as TestCase // as in `#find`
    const scenarios = {
      testCases: await Promise.all(testCases.map(find)),
      setup: setup === null ? null : await find(setup),
      teardown: teardown === null ? null : await find(teardown),
    }
    return runsOfSuite(suite, scenarios, this.chosen.choice, this.chosen.environmentId)
  }
}

export const isSuite = (context: TestCase | Suite): context is Suite => 'testCases' in context

function refuseCommands({ id, scenario }: TestCase): void {
  const [step] = stepsOf(scenario as unknown as Scenario, 'COMMAND') // as in `#find`
  if (step)
    throw new AppError(
      'FORBIDDEN',
      `Step ${step.id} of the testcase ${id} starts a program: ${COMMAND_STEPS_OFF}`,
    )
}

type Given = Pick<
  Execution,
  'started' | 'executedBy' | 'open' | 'callback' | 'requestId' | 'labels' | 'startedBy' | 'againOf'
>

/** An execution before it begins. */
export const newExecution = (
  context: TestCase | Suite,
  members: readonly PlannedMember[],
  given: Given,
): Execution => ({
  ...given,
  ...ranBy(context, members),
  id: uuidv7(),
  type: isSuite(context) ? 'SUITE' : 'TEST',
  contextId: context.id,
  contextName: context.name,
  state: 'RUNNING',
  attempt: 0,
  updateCount: 1,
  ended: null,
  message: null,
  errorCode: null,
  useCodeCoverage: members.some(({ useCodeCoverage }) => useCodeCoverage),
  againId: null,
  causeId: null,
  suiteId: null,
  position: null,
  suite: isSuite(context) ? newSuiteRun(context, members) : null,
  detailsPruned: false,
  steps: [],
  validationFailures: [],
  codeCoverage: [],
  tries: [],
  isQuarantined: !isSuite(context) && context.quarantine,
})

/** A suite names its own revision, as its scenarios name theirs; its digest is of all of them. */
function ranBy(
  context: TestCase | Suite,
  members: readonly PlannedMember[],
): Pick<Execution, 'environmentId' | 'revisions' | 'revisionDigest'> {
  const inside = members.flatMap(({ snapshot }) => snapshot.revisions)
  const suite = { kind: 'suite', id: context.id, revision: context.revision }
  const all: ArtifactRevision[] = isSuite(context) ? [suite, ...inside] : inside
  const environments = new Set(members.map(({ snapshot }) => snapshot.environmentId))
  const [environmentId = null] = environments
  return {
    environmentId: environments.size === 1 ? environmentId : null,
    revisions: isSuite(context) ? [suite] : inside,
    revisionDigest: digestOfRevisions(all),
  }
}
