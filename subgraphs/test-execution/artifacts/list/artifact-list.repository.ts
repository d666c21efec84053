import type { EntityManager } from '@mikro-orm/postgresql'
import { type QueryResult, type RawBuilder, sql } from 'kysely'
import { listsOf } from '../../../platform/database/lists.repository.ts'
import { runPrepared } from '../../../platform/database/sql.ts'
import { ReadBudget } from '../../../platform/paging/read-budget.ts'
import { ARTIFACT_TABLE } from '../artifact.entity.ts'
import type { Artifact, ArtifactKind } from '../artifact.kind.ts'
import { READ_COLUMNS, type ReadRow, readArtifact } from '../artifact.row.ts'
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
  /** The number of items to skip. */
  offset: number
  limit: number
}

/** Lists of artifacts of one kind. */
export class ArtifactListRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly budget = new ReadBudget(),
  ) {}

  /** @throws AppError OPERATION_LIMIT_EXCEEDED where it has too many bytes: a page by offset cannot end before its limit */
  list({ kind, conditions, order }: Selection, range: Range): Promise<Artifact[]> {
    const { behind, offset, limit } = range
    const where = [...wheres(kind, conditions), ...(behind ? [behindSql(order, behind)] : [])]
    // Of other lists there are too many to keep, and their plan must fit their values.
    const isWhole = where.length === 1 && order.length === 1
    const name = isWhole ? `artifacts-${order[0]?.isDescending ? 'from-end' : 'by-id'}` : undefined
    return this.budget.inTurn(async () => {
      const page = sql<ListedRow>`
        select * from (
          select page.*, sum(bytes) over (order by place) as so_far, count(*) over ()::float8 as read
          from (
            select ${sql.raw(READ_COLUMNS)},
              octet_length(fields::text)::float8 as bytes, row_number() over () as place
            from (
              select * from ${ARTIFACT_TABLE}
              where ${all(where)} order by ${orderSql(order)} limit ${limit} offset ${offset}
            ) as found
          ) as page
        ) as sized where so_far - bytes < ${this.budget.bytes} order by place`
      const { rows } = await this.#read(page, name)
      if (rows.length < (rows[0]?.read ?? 0)) this.budget.spend(this.budget.bytes + 1)
      return { value: rows.map(readArtifact), bytes: rows.at(-1)?.so_far ?? 0 }
    })
  }

  async count({ kind, conditions }: Selection): Promise<number> {
    const { rows } = await this.#read(sql<{ count: number }>`
      select count(*)::int as count from ${ARTIFACT_TABLE}
      where ${all(wheres(kind, conditions))}`)
    return rows[0]?.count ?? 0
  }

  /** @param name of a statement that is kept prepared */
  #read<Row>(statement: RawBuilder<Row>, name?: string): Promise<QueryResult<Row>> {
    return listsOf(this.em).read((em) => runPrepared(em.fork(), name, statement))
  }
}

interface ListedRow extends ReadRow {
  /** Bytes of this one and those before it. */
  so_far: number
  /** Rows that were read before they were cut. */
  read: number
}

const wheres = (kind: ArtifactKind, conditions: readonly Condition[]): RawBuilder<boolean>[] => [
  sql`kind = ${kind.name}`,
  ...conditions.map(conditionSql),
]

const all = (conditions: readonly RawBuilder<boolean>[]) => sql.join(conditions, sql` and `)
