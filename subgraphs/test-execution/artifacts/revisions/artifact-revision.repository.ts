import type { InferEntity } from '@mikro-orm/core'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { Artifact, ArtifactKind } from '../artifact.kind.ts'
import { toRow } from '../artifact.row.ts'
import { ArtifactRevisionEntity } from './artifact-revision.entity.ts'
import type { ArtifactRevision } from './artifact-revision.type.ts'

/** Earlier revisions that are kept of each artifact. */
export const REVISIONS_KEPT = 50

/** Reads earlier revisions. */
export class ArtifactRevisionRepository {
  constructor(private readonly em: EntityManager) {}

  /** The latest first. */
  async list({ idSpace }: ArtifactKind, id: string, first: number): Promise<ArtifactRevision[]> {
    const rows = await this.em
      .fork()
      .find(
        ArtifactRevisionEntity,
        { idSpace, id },
        { orderBy: { revision: 'desc' }, limit: first },
      )
    return rows.map(toRevision)
  }

  async find(
    { idSpace }: ArtifactKind,
    id: string,
    revision: number,
  ): Promise<ArtifactRevision | null> {
    const row = await this.em.fork().findOne(ArtifactRevisionEntity, { idSpace, id, revision })
    return row && toRevision(row)
  }
}

const toRevision = ({
  fields,
  description = null,
  revision,
  name,
  updated,
  updatedBy = null,
}: InferEntity<typeof ArtifactRevisionEntity>): ArtifactRevision => ({
  ...{ revision, name, description, updated, updatedBy },
  attributes: fields,
})

/** Keeps an artifact as it is before a change of the same transaction, and no more than `REVISIONS_KEPT` of them. */
export async function keepRevision(
  em: EntityManager,
  kind: ArtifactKind,
  before: Artifact,
): Promise<void> {
  const { description = null, ...row } = toRow(kind, before)
  const { idSpace, id, revision, name, updated, fields } = row
  await em.insert(ArtifactRevisionEntity, {
    ...{ idSpace, id, revision, name, description, updated, updatedBy: before.updatedBy, fields },
  })
  await em.nativeDelete(ArtifactRevisionEntity, {
    idSpace,
    id,
    revision: { $lte: revision - REVISIONS_KEPT },
  })
}

/** Forgets those of an artifact that is removed: its id may be used again. */
export async function forgetRevisions(
  em: EntityManager,
  { idSpace }: ArtifactKind,
  id: string,
): Promise<void> {
  await em.nativeDelete(ArtifactRevisionEntity, { idSpace, id })
}
