import { currentTime } from '../../../../platform/process/clock.ts'
import type { Secrets } from '../../../../platform/secrets.ts'
import type { Artifact, ArtifactKind, SealedValues } from '../artifact.kind.ts'
import type { ArtifactSource } from '../artifact-source.ts'
import { sealSecrets } from '../secret-values.ts'
import { type GivenArtifact, keyOf } from './given-artifacts.ts'

/** Artifacts that are not stored, and those of the store behind them. */
export class GivenSource implements ArtifactSource {
  readonly #given: ReadonlyMap<string, GivenArtifact>

  constructor(
    given: readonly GivenArtifact[],
    private readonly store: ArtifactSource,
    private readonly secrets: Secrets,
  ) {
    this.#given = new Map(given.map((each) => [keyOf(each), each]))
  }

  async find(kind: ArtifactKind, id: string): Promise<Artifact | null> {
    const given = this.#given.get(keyOf({ kind, id }))
    if (!given) return this.store.find(kind, id)
    return given.kind === kind ? toArtifact(given) : null
  }

  /** @throws AppError BAD_USER_INPUT for a secret whose value is neither given nor stored */
  async sealedSecrets(kind: ArtifactKind, id: string): Promise<SealedValues> {
    const stored = await this.store.sealedSecrets(kind, id)
    const given = this.#given.get(keyOf({ kind, id }))
    return given ? sealSecrets(kind, given.fields, stored, this.secrets).sealed : stored
  }
}

/** The form of a stored one; none has the revision 0. */
function toArtifact({ id, name, description, fields }: GivenArtifact): Artifact {
  const created = currentTime()
  return {
    ...fields,
    id,
    name,
    description,
    revision: 0,
    created,
    updated: created,
    updatedBy: null,
  }
}
