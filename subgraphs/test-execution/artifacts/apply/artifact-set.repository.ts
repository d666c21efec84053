import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { AppError } from '../../../../formats/errors.ts'
import type { Caller } from '../../../../platform/access/caller.ts'
import { requirePermission } from '../../../../platform/access/guard.ts'
import { auditTargets } from '../../../../platform/audit/audit.ts'
import { inTransaction } from '../../../../platform/database/sql.ts'
import { ARTIFACT_TABLE, ArtifactEntity } from '../artifact.entity.ts'
import type { ArtifactKind } from '../artifact.kind.ts'
import { insertOne, keyOf, lockStored, removeOne, replaceOne } from '../artifact.repository.ts'
import { type Sealable, toArtifact } from '../artifact.row.ts'
import type { ArtifactForwarding } from '../artifact-forwarding.repository.ts'
import { KINDS } from '../kinds.ts'
import { lockReferenced, lockUntil, refuseCircle } from '../reference.repository.ts'
import { referencesOf } from '../references.ts'
import type { ApplyArtifactsInput } from './apply.type.ts'

/** Change of one artifact. */
export interface AppliedChange {
  kind: ArtifactKind
  id: string
  action: 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'DELETED'
  /** Null where there was none. */
  before: Sealable | null
  /** Null where there is none any more. */
  after: Sealable | null
}

/** One artifact to apply. */
export interface PlannedChange {
  kind: ArtifactKind
  id: string
  /** @returns `stored` itself where nothing changes @throws AppError BAD_USER_INPUT */
  change(stored: Sealable | null): Sealable
}

/** One number for all processes: two sets that share artifacts are applied one after the other. */
const APPLY_LOCK = 727_402

/** Stores sets of artifacts, each in one transaction. */
export class ArtifactSetRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly forwarding: ArtifactForwarding,
  ) {}

  /**
   * @param planned each behind those that it names
   * @throws AppError as single changes do; FORBIDDEN for a change of a kind that needs more; CONFLICT where an artifact belongs to another set
   */
  async apply(
    { set, dryRun, prune }: Omit<ApplyArtifactsInput, 'artifacts'>,
    planned: readonly PlannedChange[],
    caller: Caller,
  ): Promise<AppliedChange[]> {
    const run = async (em: EntityManager) => {
      await sql`select pg_advisory_xact_lock(${APPLY_LOCK})`.execute(em.getKysely())
      const surplus = prune ? await surplusOf(em, set, planned) : []
      await freeNames(em, surplus)
      const changes: AppliedChange[] = []
      for (const each of planned) changes.push(await applyOne(em, set, each))
      for (const { kind, stored } of usersFirst(surplus)) {
        const { id } = stored.artifact
        await lockUntil('REMOVED', em, kind, id)
        await removeOne(em, kind, id, KINDS)
        changes.push({ kind, id, action: 'DELETED', before: stored, after: null })
      }
      const changed = changes.filter(({ action }) => action !== 'UNCHANGED')
      auditTargets([set, ...changed.map(({ id }) => id)])
      for (const { kind, id, after } of changed) {
        if (kind.changeNeeds) requirePermission(caller, kind.changeNeeds)
        await this.forwarding.forward(em, kind, id, after)
      }
      return changes
    }
    if (!dryRun) return inTransaction(this.em, run)
    const undone = await inTransaction(this.em, async (em) => {
      throw new Undo(await run(em))
    }).catch((error: unknown) => error)
    if (undone instanceof Undo) return undone.changes
    throw undone
  }
}

/** Rolls a transaction back and brings along what it did. */
class Undo extends Error {
  constructor(readonly changes: AppliedChange[]) {
    super('dry run')
  }
}

async function applyOne(
  em: EntityManager,
  set: string,
  { kind, id, change }: PlannedChange,
): Promise<AppliedChange> {
  const before = await lockStored(em, kind, id)
  if (!before) {
    const after = await named(kind, id, async () => change(null))
    await named(kind, id, () => lockReferenced(em, kind, after.artifact))
    await named(kind, id, () => insertOne(em, kind, after, set))
    return { kind, id, action: 'CREATED', before, after }
  }
  const { setName } = before
  if (setName !== null && setName !== set)
    throw new AppError(
      'CONFLICT',
      `The ${kind.name} ${id} belongs to the set ${setName}: apply it there, or prune it from that set first`,
    )
  const after = await named(kind, id, async () => change(before))
  if (after === before) {
    await named(kind, id, async () => kind.stored?.(em, after.artifact, after.artifact))
    if (setName !== set) await em.nativeUpdate(ArtifactEntity, keyOf(kind, id), { setName: set })
    return { kind, id, action: 'UNCHANGED', before, after }
  }
  await named(kind, id, () => lockReferenced(em, kind, after.artifact))
  await named(kind, id, () => refuseCircle(em, kind, after.artifact))
  await named(kind, id, () => replaceOne(em, kind, before, after, { setName: set }))
  return { kind, id, action: 'UPDATED', before, after }
}

/** Says which of many artifacts a fault is about. */
async function named<Result>(
  kind: ArtifactKind,
  id: string,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (cause) {
    if (!(cause instanceof AppError)) throw cause
    throw new AppError(cause.code, `${kind.name} ${id}: ${cause.message}`, { cause })
  }
}

interface Surplus {
  kind: ArtifactKind
  stored: Sealable
}

/** Artifacts that the set holds and the request does not. */
async function surplusOf(
  em: EntityManager,
  set: string,
  planned: readonly PlannedChange[],
): Promise<Surplus[]> {
  const keys = new Set(planned.map(({ kind, id }) => `${kind.name} ${id}`))
  const rows = await em.find(ArtifactEntity, { setName: set }, { populate: ['sealed'] })
  return rows.flatMap((row) => {
    const kind = KINDS.find(({ name }) => name === row.kind)
    if (!kind || keys.has(`${kind.name} ${row.id}`)) return []
    return [{ kind, stored: { artifact: toArtifact(row), sealed: row.sealed } }]
  })
}

/** Frees the names of artifacts that are going to be deleted. */
async function freeNames(em: EntityManager, surplus: readonly Surplus[]): Promise<void> {
  for (const { kind, stored } of surplus)
    await sql`update ${ARTIFACT_TABLE} set name = gen_random_uuid()::text
      where id_space = ${kind.idSpace} and id = ${stored.artifact.id}`.execute(em.getKysely())
}

/** Each behind those that name it. */
function usersFirst(surplus: readonly Surplus[]): Surplus[] {
  const rest = new Set(surplus)
  const ordered: Surplus[] = []
  while (rest.size > 0) {
    const used = new Set(
      [...rest].flatMap(({ kind, stored }) =>
        referencesOf(kind, stored.artifact).flatMap(({ kinds, id }) =>
          kinds.map(({ name }) => `${name} ${id}`),
        ),
      ),
    )
    const free = [...rest].filter(
      ({ kind, stored }) => !used.has(`${kind.name} ${stored.artifact.id}`),
    )
    // A circle, which no check lets come about: the first one's users are named.
    const next = free.length > 0 ? free : [...rest]
    for (const each of next) {
      rest.delete(each)
      ordered.push(each)
    }
  }
  return ordered
}
