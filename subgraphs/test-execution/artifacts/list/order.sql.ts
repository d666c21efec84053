import { type RawBuilder, sql } from 'kysely'
import type { SortValue } from './cursor.ts'
import type { SortKey } from './sort.ts'

type Bool = RawBuilder<boolean>

export const orderSql = (keys: readonly SortKey[]): RawBuilder<unknown> =>
  sql.join(keys.map((key) => sql`${keySql(key)} ${sql.raw(key.isDescending ? 'desc' : 'asc')}`))

/**
 * Holds for what follows a place in the order.
 * @param place a value for each key
 */
export function behindSql(keys: readonly SortKey[], place: readonly SortValue[]): Bool {
  const branches: Bool[] = []
  const ties: Bool[] = []
  keys.forEach((key, index) => {
    const value = place[index] ?? null
    const behind = behindValue(key, value)
    if (behind) branches.push(sql`(${sql.join([...ties, behind], sql` and `)})`)
    ties.push(
      value === null ? sql`${keySql(key)} is null` : sql`${keySql(key)} = ${bound(key, value)}`,
    )
  })
  return sql`(${sql.join(branches, sql` or `)})`
}

/** @returns null when nothing is behind the value */
function behindValue(key: SortKey, value: SortValue): Bool | null {
  const { isDescending, nullable } = key
  const expression = keySql(key)
  if (value === null) return isDescending ? sql`${expression} is not null` : null
  if (isDescending) return sql`${expression} < ${bound(key, value)}`
  const greater: Bool = sql`${expression} > ${bound(key, value)}`
  return nullable ? sql`(${greater} or ${expression} is null)` : greater
}

function keySql({ attribute, type }: SortKey): RawBuilder<unknown> {
  if (attribute.column !== null) {
    const column = sql.ref(attribute.column)
    return attribute.nullable ? sql`coalesce(${column}, '')` : column
  }
  if (type === 'text') return sql`(fields ->> ${sql.lit(attribute.name)}) collate "C"`
  const field = sql`(fields -> ${sql.lit(attribute.name)})`
  return type === 'json' ? field : sql`${field}::${sql.raw(SQL_TYPES[type])}`
}

const bound = ({ type }: SortKey, value: Exclude<SortValue, null>): RawBuilder<unknown> =>
  sql`${value}::${sql.raw(SQL_TYPES[type])}`

const SQL_TYPES = {
  text: 'text',
  number: 'numeric',
  time: 'timestamptz',
  boolean: 'boolean',
  json: 'jsonb',
} as const satisfies Record<SortKey['type'], string>
