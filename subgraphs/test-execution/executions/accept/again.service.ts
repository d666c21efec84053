import { AppError, notFound } from '../../../../formats/errors.ts'
import type { Caller } from '../../../../platform/access/caller.ts'
import type { ArtifactSource } from '../../artifacts/artifact-source.ts'
import type { ArtifactRevisionRepository } from '../../artifacts/revisions/artifact-revision.repository.ts'
import { RevisionSource } from '../../artifacts/revisions/revision-source.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecuteOptions, ExecutionService } from '../execution.service.ts'
import { isFlaky, labelList } from '../execution.ts'
import { isReported } from '../read/reported-tests.ts'
import type { ScenarioChoice } from '../suite/suite-plan.ts'
import { linkRepetition } from './again.repository.ts'
import { requireRunRight } from './run-right.ts'

export type AgainScope = 'ALL' | 'NOT_PASSED' | 'FLAKY'

export interface AgainRequest extends ExecuteOptions {
  /** Id of the result to repeat. */
  resultId: string
  only: AgainScope
  /** Revisions of the artifacts: as they are stored now, or as that execution ran them. */
  revisions: 'NOW' | 'THEN'
}

/** Executes again what an execution has run, or a part of it, in its environment and with its labels. */
export class AgainService {
  constructor(
    private readonly executions: Pick<ExecutionService, 'execute' | 'repeated' | 'read' | 'nested'>,
    private readonly store: ArtifactSource,
    private readonly revisions: Pick<ArtifactRevisionRepository, 'find'>,
  ) {}

  /**
   * @throws AppError NOT_FOUND; CONFLICT (it runs, was not stored, nothing of it is left to execute, a revision is no
   *   longer kept), and as `execute`
   */
  async execute(
    { resultId, only, revisions, ...request }: AgainRequest,
    caller: Caller,
  ): Promise<Execution> {
    requireRunRight(caller)
    const earlier = await this.executions.repeated(request, caller)
    if (earlier) return earlier
    const source = await this.executions.read(resultId, caller)
    if (!source) throw notFound('execution result', resultId)
    refuseUnrepeatable(source)
    const members = source.suite ? await this.executions.nested(source, 'BRIEF') : []
    for (const each of [source, ...members]) refuseUnstored(source, each)
    const ran = source.suite ? members : [source]
    const chosen = ran.filter(SCOPES[only])
    if (chosen.length === 0 && !(source.suite && only === 'NOT_PASSED'))
      throw nothingLeft(source, only)
    const given = request.labels ?? []
    const isGiven = ({ name }: { name: string }) => given.some((label) => label.name === name)
    const artifacts =
      revisions === 'THEN'
        ? this.#asThen([source, ...members].flatMap((each) => each.revisions))
        : null
    const holds = source.suite ? choiceOf(source, chosen, only) : null
    return this.executions.execute(
      {
        ...request,
        contextId: source.contextId,
        type: source.type,
        startedBy: 'AGAIN',
        againOf: source.id,
        labels: [...labelList(source.labels).filter((label) => !isGiven(label)), ...given],
        over: { artifacts, environmentId: source.environmentId, holds },
        alongside: (em, id) =>
          linkRepetition(em, [source.id, ...chosen.map((each) => each.id)], id),
      },
      caller,
    )
  }

  #asThen(revisions: Execution['revisions']): ArtifactSource {
    return new RevisionSource(this.store, this.revisions, revisions)
  }
}

const SCOPES: Readonly<Record<AgainScope, (execution: Execution) => boolean>> = {
  ALL: () => true,
  NOT_PASSED: ({ state }) => state !== 'COMPLETED',
  FLAKY: isFlaky,
}

/** @throws AppError CONFLICT */
function refuseUnrepeatable(source: Execution): void {
  const { id, state } = source
  if (isReported(source))
    throw new AppError(
      'CONFLICT',
      `The result ${id} is a test that a command reported: execute the scenario that runs the command`,
    )
  if (state === 'RUNNING')
    throw new AppError('CONFLICT', `The execution ${id} still runs: cancel it or wait for its end`)
}

/** Revision 0 stands for an artifact that was given with the request. @throws AppError CONFLICT */
function refuseUnstored({ id }: Execution, { startedBy, revisions }: Execution): void {
  if (startedBy === 'IMPORT')
    throw new AppError('CONFLICT', `The execution ${id} was imported: run it where it ran`)
  if (revisions.some(({ revision }) => revision === 0))
    throw new AppError(
      'CONFLICT',
      `The execution ${id} ran files that are not stored: execute the files again`,
    )
}

/** Scenarios of a suite to repeat: those chosen, and with NOT_PASSED and ALL those that never began. */
function choiceOf(
  { suite }: Execution,
  chosen: readonly Execution[],
  only: AgainScope,
): ScenarioChoice['holds'] {
  const keys = new Set(
    chosen.flatMap(({ contextId, environmentId }) => [contextId, `${contextId} ${environmentId}`]),
  )
  const { skipped = [], unneeded = [] } = suite ?? {}
  const names = new Set(only === 'FLAKY' ? [] : [...skipped, ...unneeded.map(({ name }) => name)])
  return ({ id, name }, environmentId) =>
    environmentId === null
      ? keys.has(id) || names.has(name)
      : keys.has(`${id} ${environmentId}`) ||
        names.has(name) ||
        names.has(`${name} [${environmentId}]`)
}

const nothingLeft = ({ id }: Execution, only: AgainScope): AppError =>
  new AppError(
    'CONFLICT',
    only === 'FLAKY'
      ? `Nothing of the execution ${id} was flaky: execute all of it`
      : `Everything of the execution ${id} passed: execute all of it`,
  )
