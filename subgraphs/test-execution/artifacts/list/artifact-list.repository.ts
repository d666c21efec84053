import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { ARTIFACT_TABLE } from '../artifact.entity.ts'
import type { Artifact, ArtifactKind } from '../artifact.kind.ts'
import { type ArtifactRow, toArtifact } from '../artifact.row.ts'
import type { SortValue } from './cursor.ts'
import { conditionSql } from './filter.sql.ts'
import type { Condition } from './filter.ts'
import { behindSql, orderSql } from './order.sql.ts'
import type { SortKey } from './sort.ts'

/** Which artifacts of a kind, in which order. */
export interface Selection {
  kind: ArtifactKind
  conditions: readonly Condition[]
  order: readonly SortKey[]
}

/** Which of the selected ones. */
export interface Range {
  /** Only what follows this place. */
  behind: readonly SortValue[] | null
  /** Skips so many. */
  offset: number
  limit: number
}

/** Lists of artifacts of one kind. */
export class ArtifactListRepository {
  constructor(private readonly em: EntityManager) {}

  async list({ kind, conditions, order }: Selection, range: Range): Promise<Artifact[]> {
    const { behind, offset, limit } = range
    const where = [...wheres(kind, conditions), ...(behind ? [behindSql(order, behind)] : [])]
    const { rows } = await sql<ListedRow>`
      select id, name, description, revision, created, updated, fields from ${ARTIFACT_TABLE}
      where ${all(where)} order by ${orderSql(order)} limit ${limit} offset ${offset}`.execute(
      this.em.fork().getKysely(),
    )
    return rows.map((row) =>
      toArtifact({ ...row, created: new Date(row.created), updated: new Date(row.updated) }),
    )
  }

  async count({ kind, conditions }: Selection): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${ARTIFACT_TABLE}
      where ${all(wheres(kind, conditions))}`.execute(this.em.fork().getKysely())
    return rows[0]?.count ?? 0
  }
}

/** Outside its own mapping MikroORM leaves times as text. */
type ListedRow = Omit<ArtifactRow, 'created' | 'updated'> & { created: string; updated: string }

const wheres = (kind: ArtifactKind, conditions: readonly Condition[]): RawBuilder<boolean>[] => [
  sql`kind = ${kind.name}`,
  ...conditions.map(conditionSql),
]

const all = (conditions: readonly RawBuilder<boolean>[]) => sql.join(conditions, sql` and `)
