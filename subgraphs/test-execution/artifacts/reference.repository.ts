import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { badInput } from '../../../formats/errors.ts'
import { ARTIFACT_TABLE } from './artifact.entity.ts'
import type { Artifact, ArtifactKind } from './artifact.kind.ts'
import { attributesNaming, dangling, placeOf, referencesOf } from './references.ts'

/*
 * A transaction that references an artifact holds a shared lock on its row until commit; one that removes it, an exclusive
 * lock. So of a concurrent removal and reference exactly the first succeeds. Kinds reference each other in no circle,
 * and each transaction locks its references in the order of their keys: so there is no deadlock.
 */

/**
 * Keeps what an artifact names from being removed before the transaction ends.
 * @throws AppError BAD_USER_INPUT for the first that does not exist
 */
export async function lockReferenced(
  em: EntityManager,
  kind: ArtifactKind,
  artifact: Artifact,
): Promise<void> {
  const references = referencesOf(kind, artifact)
  if (references.length === 0) return
  const spaces = references.map(({ kinds }) => kinds[0]?.idSpace)
  const ids = references.map((reference) => reference.id)
  const { rows } = await sql<{ kind: string; id: string }>`
    select kind, id from ${ARTIFACT_TABLE}
    where (id_space, id) in (select * from unnest(${spaces}::text[], ${ids}::text[]))
    order by id_space, id for key share`.execute(em.getKysely())
  const found = new Set(rows.map((row) => `${row.kind} ${row.id}`))
  for (const reference of references)
    if (!reference.kinds.some(({ name }) => found.has(`${name} ${reference.id}`)))
      throw dangling(reference)
}

/**
 * Two concurrent changes can still close a circle; readers that follow references must detect it, too.
 * @throws AppError BAD_USER_INPUT when an artifact names itself, also by way of others of its kind
 */
export async function refuseCircle(
  em: EntityManager,
  kind: ArtifactKind,
  artifact: Artifact,
): Promise<void> {
  const { idSpace, name, references } = kind
  const attributes = Object.keys(references).filter((attribute) => references[attribute] === kind)
  for (const attribute of attributes) {
    const { rows } = await sql`
      with recursive named(id) as (
        select * from unnest(${artifact[attribute]}::text[])
        union
        select further.id from named
        join ${ARTIFACT_TABLE} as artifact
          on artifact.id_space = ${idSpace} and artifact.id = named.id and artifact.kind = ${name}
        cross join lateral jsonb_array_elements_text(
          coalesce(artifact.fields -> ${attribute}, '[]')) as further(id))
      select from named where id = ${artifact.id}`.execute(em.getKysely())
    const place = placeOf(kind, attribute)
    if (rows.length > 0) throw badInput(`${place}: the ${name} ${artifact.id} names itself`)
  }
}

/**
 * Locks an artifact until the transaction ends.
 * @param until CHANGED: it may be named meanwhile; REMOVED: it may not
 * @returns whether it exists
 */
export async function lockUntil(
  until: 'CHANGED' | 'REMOVED',
  em: EntityManager,
  { idSpace, name }: ArtifactKind,
  id: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from ${ARTIFACT_TABLE} where id_space = ${idSpace} and id = ${id} and kind = ${name}
    for ${sql.raw(until === 'CHANGED' ? 'no key update' : 'update')}`.execute(em.getKysely())
  return rows.length > 0
}

/** Artifacts that name another one, in the order of kind and id. */
export async function usersOf(
  em: EntityManager,
  kind: ArtifactKind,
  id: string,
  kinds: readonly ArtifactKind[],
): Promise<{ kind: string; id: string }[]> {
  const naming = attributesNaming(kind, kinds).map(({ user, attribute }) => {
    const value = user.properties[attribute]?.type === 'array' ? [id] : id
    const held = JSON.stringify({ [attribute]: value })
    return sql`(kind = ${user.name} and fields @> ${held}::jsonb)`
  })
  if (naming.length === 0) return []
  const { rows } = await sql<{ kind: string; id: string }>`
    select kind, id from ${ARTIFACT_TABLE} where ${sql.join(naming, sql` or `)}
    order by kind, id`.execute(em.getKysely())
  return rows
}
