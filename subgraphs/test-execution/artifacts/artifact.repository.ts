import { type EntityManager, UniqueConstraintViolationException } from '@mikro-orm/postgresql'
import { AppError, idTaken } from '../../../formats/errors.ts'
import { auditTargets } from '../../../platform/audit/audit.ts'
import { inTransaction, runSql, type Statement } from '../../../platform/database/sql.ts'
import { ArtifactEntity } from './artifact.entity.ts'
import type { Artifact, ArtifactKind, SealedValues } from './artifact.kind.ts'
import {
  READ_COLUMNS,
  type ReadRow,
  readArtifact,
  type Sealable,
  toArtifact,
  toRow,
} from './artifact.row.ts'
import type { ArtifactForwarding } from './artifact-forwarding.repository.ts'
import { lockReferenced, lockUntil, refuseCircle, usersOf } from './reference.repository.ts'
import { inUse } from './references.ts'
import { forgetRevisions, keepRevision } from './revisions/artifact-revision.repository.ts'

/** $1: id space; $2: kind; $3: ids. */
const FIND: Statement = {
  name: 'artifacts-by-ids',
  text: `select ${READ_COLUMNS} from test_execution.artifact
    where id_space = $1 and kind = $2 and id = any ($3)`,
}

/** Storage of artifacts. A fresh fork for every call, so that no cached row is ever mistaken for the stored one. */
export class ArtifactRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly kinds: readonly ArtifactKind[],
    private readonly forwarding: ArtifactForwarding,
  ) {}

  async findNamed(kind: ArtifactKind, name: string): Promise<Artifact | null> {
    const row = await this.em.fork().findOne(ArtifactEntity, { kind: kind.name, name })
    return row && toArtifact(row)
  }

  /** Those of `ids` that exist, by id. */
  async findAll(kind: ArtifactKind, ids: readonly string[]): Promise<Map<string, Artifact>> {
    const rows = await runSql<ReadRow>(this.em.fork(), FIND, [kind.idSpace, kind.name, ids])
    return new Map(rows.map((row) => [row.id, readArtifact(row)]))
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
      auditTargets(artifacts.map(({ artifact }) => artifact.id))
      for (const { kind, artifact, sealed } of artifacts) {
        await lockReferenced(em, kind, artifact)
        await insertOne(em, kind, { artifact, sealed })
        await this.forwarding.forward(em, kind, artifact.id, { artifact, sealed })
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
      const stored = await lockStored(em, kind, id)
      if (!stored) return null
      const changed = change(stored)
      if (changed === stored) {
        await kind.stored?.(em, changed.artifact, stored.artifact)
      } else {
        await lockReferenced(em, kind, changed.artifact)
        await refuseCircle(em, kind, changed.artifact)
        await replaceOne(em, kind, stored, changed)
        await this.forwarding.forward(em, kind, id, changed)
      }
      return changed.artifact
    })
  }

  /**
   * Removes an artifact unless something names it or `check` refuses.
   * @returns false when there is none
   * @throws AppError CONFLICT that names the users, and what `check` throws
   */
  remove(kind: ArtifactKind, id: string, check: (stored: Artifact) => void): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      if (!(await lockUntil('REMOVED', em, kind, id))) return false
      check(toArtifact(await em.findOneOrFail(ArtifactEntity, keyOf(kind, id))))
      await removeOne(em, kind, id, this.kinds)
      await this.forwarding.forward(em, kind, id, null)
      return true
    })
  }
}

export const keyOf = ({ idSpace, name }: ArtifactKind, id: string) => ({ idSpace, id, kind: name })

/** An artifact and the set that it belongs to, locked for a change until the transaction ends; null when there is none. */
export async function lockStored(
  em: EntityManager,
  kind: ArtifactKind,
  id: string,
): Promise<(Sealable & { setName: string | null }) | null> {
  if (!(await lockUntil('CHANGED', em, kind, id))) return null
  const row = await em.findOneOrFail(ArtifactEntity, keyOf(kind, id), { populate: ['sealed'] })
  return { artifact: toArtifact(row), sealed: row.sealed, setName: row.setName ?? null }
}

/** @throws AppError CONFLICT when its id or name is taken */
export async function insertOne(
  em: EntityManager,
  kind: ArtifactKind,
  { artifact, sealed }: Sealable,
  setName: string | null = null,
): Promise<void> {
  await refuseDuplicates(kind, artifact, () =>
    em.insert(ArtifactEntity, { ...toRow(kind, artifact), sealed, setName }),
  )
  await kind.stored?.(em, artifact, null)
}

/** Keeps a stored artifact as a revision, and puts another in its place. @throws AppError CONFLICT when the name is taken */
export async function replaceOne(
  em: EntityManager,
  kind: ArtifactKind,
  before: Sealable,
  { artifact, sealed }: Sealable,
  set: { setName?: string } = {},
): Promise<void> {
  await keepRevision(em, kind, before.artifact)
  const { name, description = null, revision, updated, fields } = toRow(kind, artifact)
  const { updatedBy } = artifact
  const changed = { name, description, revision, updated, updatedBy, fields, sealed, ...set }
  await refuseDuplicates(kind, artifact, () =>
    em.nativeUpdate(ArtifactEntity, keyOf(kind, artifact.id), changed),
  )
  await kind.stored?.(em, artifact, before.artifact)
}

/** Removes an artifact that is locked. @throws AppError CONFLICT that names what uses it */
export async function removeOne(
  em: EntityManager,
  kind: ArtifactKind,
  id: string,
  kinds: readonly ArtifactKind[],
): Promise<void> {
  const users = await usersOf(em, kind, id, kinds)
  if (users.length > 0) throw inUse(kind, id, users)
  await forgetRevisions(em, kind, id)
  await kind.removed?.(em, id)
  await em.nativeDelete(ArtifactEntity, keyOf(kind, id))
}

/** @throws AppError CONFLICT that names the taken name */
async function refuseDuplicates(
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
