import { badInput } from '../../../../formats/errors.ts'
import type { Caller } from '../../../../platform/access/caller.ts'
import { requirePermission } from '../../../../platform/access/guard.ts'
import type { Secrets } from '../../../../platform/secrets.ts'
import { type RawArtifact, readGiven } from '../../artifacts/apply/given-artifacts.ts'
import { GivenSource } from '../../artifacts/apply/given-source.ts'
import type { SetEvaluation } from '../../artifacts/apply/set-evaluation.ts'
import type { ArtifactSource } from '../../artifacts/artifact-source.ts'
import type { Execution } from '../execution.entity.ts'
import type { ExecuteRequest, ExecutionService } from '../execution.service.ts'
import type { StartedByName } from '../execution.ts'
import type { TagChoice } from '../suite/suite-plan.ts'

export interface InlineRequest extends Omit<ExecuteRequest, 'over' | 'startedBy'>, TagChoice {
  startedBy?: StartedByName | null
  artifacts: readonly RawArtifact[]
  environmentId?: string | null
}

/** Executes artifacts that are not stored: each stands before a stored one with its id. */
export class InlineService {
  constructor(
    private readonly executions: Pick<ExecutionService, 'execute' | 'repeated'>,
    private readonly store: ArtifactSource,
    private readonly secrets: Secrets,
    private readonly evaluation: () => SetEvaluation,
  ) {}

  /** @throws AppError FORBIDDEN, BAD_USER_INPUT that lists the faults, and as `execute` */
  async execute(
    { artifacts, environmentId, tags, skipTags, ...request }: InlineRequest,
    caller: Caller,
  ): Promise<Execution> {
    // Callers bring code, and could as well store it first.
    requirePermission(caller, 'artifacts:write')
    const startedBy = request.startedBy ?? 'FILES'
    if (startedBy !== 'FILES' && startedBy !== 'EDITOR')
      throw badInput(`startedBy: expected FILES or EDITOR, not ${startedBy}`)
    const earlier = await this.executions.repeated(request, caller)
    if (earlier) return earlier
    const given = await readGiven(artifacts, this.evaluation())
    const source = new GivenSource(given, this.store, this.secrets)
    return this.executions.execute(
      {
        ...request,
        startedBy,
        over: { artifacts: source, isOwn: true, environmentId, tags, skipTags },
      },
      caller,
    )
  }
}
