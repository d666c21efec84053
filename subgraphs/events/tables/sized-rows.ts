import type { Table } from '../../../platform/event-query/fields.ts'

/** Size of a row that `upToBytes` has read. */
export interface SizedRow {
  /** Bytes of its long values as text. jsonb writes numbers out: `1e300` takes 301 bytes. */
  bytes: number
  /** Rows that were read before they were cut. */
  read: number
}

/** Columns whose values clients choose the length of. */
const COMMON = ['title', 'message', 'source_properties', 'sender', 'properties', 'tags']
const LONG: Record<Table, readonly string[]> = {
  event: [...COMMON, 'fingerprint_fields', 'fingerprint_values'],
  raw: COMMON,
}

/** SQL for the bytes of the long values of a row. */
export const bytesOf = (table: Table): string =>
  `octet_length(concat(${LONG[table].map((name) => `${table}.${name}`)}))::float8`

/**
 * The first rows of a statement, up to a number of bytes; the last row may exceed it.
 * @param rows selects `${table}.*` @param order what it is ordered by
 */
export const upToBytes = (table: Table, rows: string, order: string, bytes: number): string => `
  select ${table}.* from (
    select ${table}.*, count(*) over ()::float8 as read,
      sum(${table}.bytes) over (${order} rows unbounded preceding) as bytes_so_far
    from (select ${table}.*, ${bytesOf(table)} as bytes
      from (${rows}) as ${table}) as ${table}
  ) as ${table} where bytes_so_far - bytes < ${bytes} ${order}`
