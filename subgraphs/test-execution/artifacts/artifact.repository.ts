import { type EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql'
import { AppError, idTaken } from '../../../schema/errors.ts'
import { auditTarget } from '../../platform/audit/audit.ts'
import { inTransaction } from '../../platform/database/sql.ts'
import { ArtifactEntity } from './artifact.entity.ts'
import type { Artifact, ArtifactKind, SealedValues } from './artifact.kind.ts'
import { type Sealable, toArtifact, toRow } from './artifact.row.ts'
import {
  lockForChange,
  lockForRemoval,
  lockReferenced,
  refuseCircle,
  usersOf,
} from './reference.repository.ts'
import { inUse } from './references.ts'
import { forgetRevisions, keepRevision } from './revisions/artifact-revision.repository.ts'

/** Storage of artifacts. A fresh fork for every call, so that no cached row is ever mistaken for the stored one. */
export class ArtifactRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly kinds: readonly ArtifactKind[],
  ) {}

  async find(kind: ArtifactKind, id: string): Promise<Artifact | null> {
    const row = await this.em.fork().findOne(ArtifactEntity, keyOf(kind, id))
    return row && toArtifact(row)
  }

  async findNamed(kind: ArtifactKind, name: string): Promise<Artifact | null> {
    const row = await this.em.fork().findOne(ArtifactEntity, { kind: kind.name, name })
    return row && toArtifact(row)
  }

  /** Those of `ids` that exist, by id. */
  async findAll(kind: ArtifactKind, ids: readonly string[]): Promise<Map<string, Artifact>> {
    const { idSpace, name } = kind
    const rows = await this.em
      .fork()
      .find(ArtifactEntity, { idSpace, id: { $in: [...ids] }, kind: name })
    return new Map(rows.map((row) => [row.id, toArtifact(row)]))
  }

  /** The sealed values of the secrets of an artifact; none when it does not exist. */
  async sealed(kind: ArtifactKind, id: string): Promise<SealedValues> {
    const row = await this.em
      .fork()
      .findOne(ArtifactEntity, keyOf(kind, id), { populate: ['sealed'] })
    return row?.sealed ?? {}
  }

  async isEmpty(): Promise<boolean> {
    return (await this.em.fork().count(ArtifactEntity)) === 0
  }

  /**
   * Stores all of them in this order, or none.
   * @throws AppError CONFLICT when an id or a name is taken, BAD_USER_INPUT when one names what does not exist
   */
  insert(artifacts: readonly ({ kind: ArtifactKind } & Sealable)[]): Promise<void> {
    return inTransaction(this.em, async (em) => {
      for (const { kind, artifact, sealed } of artifacts) {
        auditTarget(artifact.id)
        await lockReferenced(em, kind, artifact)
        await refuseDuplicates(kind, artifact, () =>
          em.insert(ArtifactEntity, { ...toRow(kind, artifact), sealed }),
        )
      }
    })
  }

  /**
   * Replaces an artifact by the result of `change` on the stored one, which is locked meanwhile.
   * @param change the stored one, where nothing is to be changed
   * @returns null when there is none
   * @throws AppError CONFLICT when the name is taken, BAD_USER_INPUT as `insert`, and what `change` throws
   */
  replace(
    kind: ArtifactKind,
    id: string,
    change: (stored: Sealable) => Sealable,
  ): Promise<Artifact | null> {
    return inTransaction(this.em, async (em) => {
      if (!(await lockForChange(em, kind, id))) return null
      const row = await em.findOneOrFail(ArtifactEntity, keyOf(kind, id), { populate: ['sealed'] })
      const stored = { artifact: toArtifact(row), sealed: row.sealed }
      const changed = change(stored)
      if (changed === stored) return stored.artifact
      const { artifact, sealed } = changed
      await keepRevision(em, kind, stored.artifact)
      await lockReferenced(em, kind, artifact)
      await refuseCircle(em, kind, artifact)
      const { name, description = null, revision, updated, fields } = toRow(kind, artifact)
      await refuseDuplicates(kind, artifact, () =>
        em.nativeUpdate(ArtifactEntity, keyOf(kind, id), {
          name,
          description,
          revision,
          updated,
          fields,
          sealed,
        }),
      )
      return artifact
    })
  }

  /**
   * Removes an artifact unless something names it or `check` refuses.
   * @returns false when there is none
   * @throws AppError CONFLICT that names the users, and what `check` throws
   */
  remove(kind: ArtifactKind, id: string, check: (stored: Artifact) => void): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      if (!(await lockForRemoval(em, kind, id))) return false
      check(toArtifact(await em.findOneOrFail(ArtifactEntity, keyOf(kind, id))))
      const users = await usersOf(em, kind, id, this.kinds)
      if (users.length > 0) throw inUse(kind, id, users)
      await forgetRevisions(em, kind, id)
      await em.nativeDelete(ArtifactEntity, keyOf(kind, id))
      return true
    })
  }
}

export const keyOf = ({ idSpace, name }: ArtifactKind, id: string) => ({ idSpace, id, kind: name })

/** @throws AppError CONFLICT that names the taken name */
export async function refuseDuplicates(
  kind: ArtifactKind,
  { id, name }: Artifact,
  write: () => Promise<unknown>,
): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error
    const isNameTaken = error.message.includes('artifact_kind_name_unique')
    throw new AppError(
      'CONFLICT',
      isNameTaken ? `The name "${name}" is already taken by another ${kind.name}` : idTaken(id),
    )
  }
}
