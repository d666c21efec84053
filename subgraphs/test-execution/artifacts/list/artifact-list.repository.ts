import type { EntityManager } from '@mikro-orm/postgresql'
import { type QueryResult, type RawBuilder, sql } from 'kysely'
import { listsOf } from '../../../../platform/database/lists.repository.ts'
import { runPrepared } from '../../../../platform/database/sql.ts'
import { ReadBudget } from '../../../../platform/paging/read-budget.ts'
import { ARTIFACT_TABLE } from '../artifact.entity.ts'
import type { Artifact, ArtifactKind } from '../artifact.kind.ts'
import { READ_COLUMNS, type ReadRow, readArtifact } from '../artifact.row.ts'
import type { SortValue } from './cursor.ts'
import { conditionSql } from './filter.sql.ts'
import type { Condition } from './filter.ts'
import { behindSql, orderSql } from './order.sql.ts'
import type { SortKey } from './sort.ts'

/** Selected artifacts of a kind, and their order. */
export interface Selection {
  kind: ArtifactKind
  conditions: readonly Condition[]
  order: readonly SortKey[]
}

/** Range of the selected ones. */
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

  /** @param isCounted reads the length of the list as well, from the same snapshot @throws AppError OPERATION_LIMIT_EXCEEDED where it has too many bytes: a page by offset cannot end before its limit */
  list(
    { kind, conditions, order }: Selection,
    range: Range,
    isCounted: boolean,
  ): Promise<{ rows: Artifact[]; total: number }> {
    const { behind, offset, limit } = range
    const where = [...wheres(kind, conditions), ...(behind ? [behindSql(order, behind)] : [])]
    // Other lists are too many to keep, and their plan must fit their values.
    const isWhole = where.length === 1 && order.length === 1
    const which = `${order[0]?.isDescending ? 'from-end' : 'by-id'}${isCounted ? '-counted' : ''}`
    const name = isWhole ? `artifacts-${which}` : undefined
    const length = isCounted
      ? sql`select count(*)::int as total from ${ARTIFACT_TABLE} where ${all(wheres(kind, conditions))}`
      : sql`select 0 as total`
    return this.budget.inTurn(async () => {
      const page = sql<ListedRow>`
        select * from (${length}) as counted left join (
          select page.*, sum(bytes) over (order by place) as so_far, count(*) over ()::float8 as read
          from (
            select ${sql.raw(READ_COLUMNS)},
              octet_length(fields::text)::float8 as bytes, row_number() over () as place
            from (
              select * from ${ARTIFACT_TABLE}
              where ${all(where)} order by ${orderSql(order)} limit ${limit} offset ${offset}
            ) as found
          ) as page
        ) as sized on so_far - bytes < ${this.budget.bytes} order by place`
      const read = await this.#read(page, name)
      const total = read.rows[0]?.total ?? 0
      const rows = read.rows.filter(({ id }) => id !== null) // an empty page has its total alone
      if (rows.length < (rows[0]?.read ?? 0)) this.budget.spend(this.budget.bytes + 1)
      return { value: { rows: rows.map(readArtifact), total }, bytes: rows.at(-1)?.so_far ?? 0 }
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
  total: number
}

const wheres = (kind: ArtifactKind, conditions: readonly Condition[]): RawBuilder<boolean>[] => [
  sql`kind = ${kind.name}`,
  ...conditions.map(conditionSql),
]

const all = (conditions: readonly RawBuilder<boolean>[]) => sql.join(conditions, sql` and `)
