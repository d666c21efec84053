import {
  type EntityManager,
  type InferEntity,
  UniqueConstraintViolationException,
} from '@mikro-orm/postgresql'
import { AppError } from '../../../schema/errors.ts'
import { ArtifactEntity } from './artifact.entity.ts'
import type { Artifact, ArtifactKind, ArtifactKindName } from './artifact.kind.ts'

/** Storage of artifacts. Each call works on its own fork: no identity map outlives an operation. */
export class ArtifactRepository {
  constructor(private readonly em: EntityManager) {}

  async find(kind: ArtifactKind, id: string): Promise<Artifact | null> {
    const row = await this.em
      .fork()
      .findOne(ArtifactEntity, { idSpace: kind.idSpace, id, kind: kind.name })
    return row && flatten(row)
  }

  async isEmpty(): Promise<boolean> {
    return (await this.em.fork().count(ArtifactEntity)) === 0
  }

  async list(kind: ArtifactKind, offset: number, limit: number): Promise<Artifact[]> {
    const rows = await this.em
      .fork()
      .find(
        ArtifactEntity,
        { kind: kind.name },
        { orderBy: { name: 'asc', id: 'asc' }, offset, limit },
      )
    return rows.map(flatten)
  }

  /** @throws AppError CONFLICT when the id or the name is taken */
  async insert(kind: ArtifactKind, artifact: Artifact): Promise<void> {
    const { id, name, description, revision, created, updated, ...fields } = artifact
    const row = {
      kind: kind.name,
      idSpace: kind.idSpace,
      id,
      name,
      description,
      revision,
      created,
      updated,
      fields,
    }
    await refuseDuplicates(kind, artifact, () => this.em.fork().insert(ArtifactEntity, row))
  }

  /** Replaces exactly the revision before `artifact.revision`. @returns false when that is not the stored one */
  async replace(kind: ArtifactKind, artifact: Artifact): Promise<boolean> {
    const { id, name, description, revision, created: _, updated, ...fields } = artifact
    const changed = await refuseDuplicates(kind, artifact, () =>
      this.em
        .fork()
        .nativeUpdate(
          ArtifactEntity,
          { idSpace: kind.idSpace, id, kind: kind.name, revision: revision - 1 },
          { name, description, revision, updated, fields },
        ),
    )
    return changed === 1
  }

  async remove(kind: ArtifactKind, id: string): Promise<boolean> {
    return (
      (await this.em
        .fork()
        .nativeDelete(ArtifactEntity, { idSpace: kind.idSpace, id, kind: kind.name })) === 1
    )
  }

  /** Those of `kind` whose `field` holds `id`. */
  async usersOf(kind: ArtifactKindName, field: string, id: string): Promise<Artifact[]> {
    const rows = await this.em.fork().find(ArtifactEntity, { kind, fields: { [field]: id } })
    return rows.map(flatten)
  }
}

/** The row as the domain sees it: the attributes of its kind beside the common ones. */
const flatten = ({ id, name, description, revision, created, updated, fields }: Row): Artifact => ({
  ...fields,
  id,
  name,
  description: description ?? null,
  revision,
  created,
  updated,
})

type Row = InferEntity<typeof ArtifactEntity>

async function refuseDuplicates<T>(
  kind: ArtifactKind,
  { id, name }: Artifact,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error
    const taken = error.message.includes('artifact_kind_name_unique')
      ? `name "${name}"`
      : `id ${id}`
    throw new AppError('CONFLICT', `The ${taken} is already taken by another ${kind.label}`)
  }
}
