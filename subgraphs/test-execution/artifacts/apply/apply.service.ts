import { badInput } from '../../../../formats/errors.ts'
import type { Caller } from '../../../../platform/access/caller.ts'
import { currentTime } from '../../../../platform/process/clock.ts'
import type { Secrets } from '../../../../platform/secrets.ts'
import type { Artifact, ArtifactKind } from '../artifact.kind.ts'
import { isId } from '../artifact.row.ts'
import { changeTo, isSame } from '../artifact-change.ts'
import type { ApplyArtifactsInput, ArtifactAttributeChange } from './apply.type.ts'
import type { AppliedChange, ArtifactSetRepository } from './artifact-set.repository.ts'
import { readGiven } from './given-artifacts.ts'
import type { SetEvaluation } from './set-evaluation.ts'

/** Stores whole sets of artifacts. */
export class ApplyService {
  constructor(
    private readonly repository: ArtifactSetRepository,
    private readonly secrets: Secrets,
    private readonly evaluation: () => SetEvaluation,
    private readonly now: () => Date = currentTime,
  ) {}

  /**
   * All of them in one transaction, or none. What is unchanged keeps its revision.
   * @throws AppError BAD_USER_INPUT that lists the faults, CONFLICT
   */
  async apply(
    { artifacts, ...request }: ApplyArtifactsInput,
    caller: Caller,
  ): Promise<AppliedChange[]> {
    if (!isId(request.set))
      throw badInput('set: expected 1 to 255 of the characters A-Z a-z 0-9 . _ ~ : -')
    const given = await readGiven(artifacts, this.evaluation())
    return this.repository.apply(
      request,
      given.map((each) => ({ ...each, change: changeTo(each, this.secrets, this.now) })),
      caller,
    )
  }
}

/** Differences, attribute by attribute. A secret whose value alone differs shows as `secrets` with the same names. */
export function attributeChanges({
  kind,
  action,
  before,
  after,
}: AppliedChange): ArtifactAttributeChange[] {
  if (action === 'UNCHANGED') return []
  const [old, fresh] = [shown(kind, before?.artifact), shown(kind, after?.artifact)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(fresh)])]
  const changed = names
    .filter((name) => !isSame(old[name] ?? null, fresh[name] ?? null))
    .map((name) => ({ name, before: old[name] ?? null, after: fresh[name] ?? null }))
  if (changed.length > 0) return changed
  return [{ name: 'secrets', before: old.secrets ?? null, after: fresh.secrets ?? null }]
}

/** Attributes that clients set; the rest follows. */
const shown = ({ properties }: ArtifactKind, artifact: Artifact | undefined) =>
  Object.fromEntries(
    Object.entries(artifact ?? {}).filter(
      ([name]) => COMMON.includes(name) || (properties[name] && !properties[name].readOnly),
    ),
  )

const COMMON = ['name', 'description']
