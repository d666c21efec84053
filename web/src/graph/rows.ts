/** A page of a connection. */
export interface PageOf<Row> {
  nodes: Row[]
  pageInfo: { endCursor: string | null; hasNextPage: boolean }
  totalCount?: number
  isTotalCountEstimated?: boolean
}

/** The rows of a list as far as they are read. */
export interface Rows<Row> {
  rows: readonly Row[]
  total: number | null
  isEstimated?: boolean | undefined
  /** The last row that was read while there are more: what comes behind it is read later. */
  last: Row | null
}

export type Patch<Row> = (rows: readonly Row[], last: Row | null) => readonly Row[]

export const NO_ROWS: Rows<never> = { rows: [], total: null, last: null }

/** Adds a page, and again the updates that arrived while it was read: it may have been read before them. */
export function extended<Row>(
  before: Rows<Row>,
  { nodes, pageInfo, totalCount, isTotalCountEstimated }: PageOf<Row>,
  updates: readonly Patch<Row>[],
): Rows<Row> {
  const held = new Set(before.rows.map(keyOf))
  const page: Rows<Row> = {
    rows: [...before.rows, ...nodes.filter((row) => !held.has(keyOf(row)))],
    total: totalCount ?? before.total,
    isEstimated: isTotalCountEstimated ?? before.isEstimated,
    last: pageInfo.hasNextPage ? (nodes.at(-1) ?? before.last) : null,
  }
  return updates.reduce(patched, page)
}

/** Rows that come or go change the total. */
export function patched<Row>(
  { rows, total, last, ...rest }: Rows<Row>,
  patch: Patch<Row>,
): Rows<Row> {
  const next = patch(rows, last)
  return {
    ...rest,
    rows: next,
    total: total === null ? null : total + next.length - rows.length,
    last,
  }
}

const keyOf = (row: unknown): unknown =>
  typeof row === 'object' && row !== null && 'id' in row ? row.id : row

interface Order<Row> {
  /** True if the list has the first before the second; absent where the server alone knows, so that none is added. */
  isBefore?: ((row: Row, other: Row) => boolean) | undefined
  /** True if the list has the row at all. */
  isWanted?(row: Row): boolean
  last: Row | null
}

/** Changed rows replace what the list has of them. Others take the places where reading would put them, up to the last row. */
export function withChanged<Row extends { id: string }>(
  rows: readonly Row[],
  changed: readonly Row[],
  { isBefore, isWanted = () => true, last }: Order<Row>,
): Row[] {
  const latest = new Map(changed.map((row) => [row.id, row]))
  const kept = rows.map((row) => {
    const next = latest.get(row.id) ?? row
    latest.delete(row.id)
    return next
  })
  if (!isBefore) return kept.filter(isWanted)
  const added = [...latest.values()].filter((row) => !last || isBefore(row, last))
  return [...kept, ...added].filter(isWanted).sort((a, b) => (isBefore(a, b) ? -1 : 1))
}
