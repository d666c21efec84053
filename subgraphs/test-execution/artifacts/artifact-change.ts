import { isDeepStrictEqual } from 'node:util'
import { runningUser } from '../../../platform/audit/audit.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { GivenArtifact } from './apply/given-artifacts.ts'
import type { Sealable } from './artifact.row.ts'
import { hasGivenSecrets, sealSecrets } from './secret-values.ts'

/**
 * Change of a stored artifact, or of none, when another is put in its place: its next revision, or itself
 * where nothing changes.
 * @throws AppError BAD_USER_INPUT as `sealSecrets`
 */
export const changeTo =
  (
    { kind, id, name, description, fields: given }: GivenArtifact,
    secrets: Secrets,
    clock: () => Date,
  ) =>
  (stored: Sealable | null): Sealable => {
    const now = clock()
    const { fields, sealed } = sealSecrets(kind, given, stored?.sealed ?? {}, secrets)
    const { revision = 0, created = now, updated = now, updatedBy = null } = stored?.artifact ?? {}
    const own = stored && kind.keep ? kind.keep(fields, stored.artifact) : fields
    const artifact = { ...own, id, name, description, revision, created, updated, updatedBy }
    const isUnchanged =
      stored &&
      isSame(stored.artifact, artifact) &&
      hasGivenSecrets(kind, given, stored.sealed, secrets)
    if (isUnchanged) return stored
    const change = { revision: revision + 1, updated: now, updatedBy: runningUser() }
    return { artifact: { ...artifact, ...change }, sealed }
  }

/** True if two artifacts hold the same, whatever the order of their keys. */
export const isSame = (one: unknown, other: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))
