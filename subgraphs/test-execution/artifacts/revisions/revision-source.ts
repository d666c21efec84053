import { AppError } from '../../../../formats/errors.ts'
import type { Artifact, ArtifactKind, SealedValues } from '../artifact.kind.ts'
import type { ArtifactSource } from '../artifact-source.ts'
import type { ArtifactRevisionRepository } from './artifact-revision.repository.ts'

interface Wanted {
  kind: string
  id: string
  revision: number
}

/** Artifacts in given revisions; others, and the values of secrets, as they are stored now. */
export class RevisionSource implements ArtifactSource {
  readonly #wanted: ReadonlyMap<string, number>

  constructor(
    private readonly store: ArtifactSource,
    private readonly revisions: Pick<ArtifactRevisionRepository, 'find'>,
    wanted: readonly Wanted[],
  ) {
    this.#wanted = new Map(wanted.map(({ kind, id, revision }) => [`${kind} ${id}`, revision]))
  }

  /** @throws AppError CONFLICT for a revision that is no longer kept */
  async find(kind: ArtifactKind, id: string): Promise<Artifact | null> {
    const current = await this.store.find(kind, id)
    const revision = this.#wanted.get(`${kind.name} ${id}`)
    if (!current || revision === undefined || current.revision === revision) return current
    const earlier = await this.revisions.find(kind, id, revision)
    if (earlier) return { ...earlier.attributes, ...earlier, id, created: current.created }
    throw new AppError(
      'CONFLICT',
      `The ${kind.name} ${id} has no revision ${revision} any more: execute it again with the revisions of now`,
    )
  }

  sealedSecrets(kind: ArtifactKind, id: string): Promise<SealedValues> {
    return this.store.sealedSecrets(kind, id)
  }
}
