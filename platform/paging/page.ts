import { AppError } from '../../formats/errors.ts'
import { isDatabaseText } from '../database/database-text.ts'

export interface PageArgs {
  first?: number | null
  after?: string | null
  last?: number | null
  before?: string | null
  /** True if the length of the list is asked for, too: it is read from the snapshot of the page then. */
  isCounted?: boolean
}

/** Number of items to read, and from which end. */
export interface Range {
  limit: number
  /** Backward pages are read from their end and turned round. */
  isBackward: boolean
}

/** Part of a list to read. */
export interface Page extends Range {
  /** The key values behind which, in reading direction, the page begins. */
  from: string[] | null
  isCounted?: boolean | undefined
}

export interface Connection<Node> {
  nodes: Node[]
  edges: { cursor: string; node: Node }[]
  pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
  /** Length of the whole list; counted once, when it is asked for first. */
  count: () => Promise<Total>
}

/** Length of a list, or an estimate of it. */
export interface Total {
  value: number
  isEstimated: boolean
}

export const exactly = (value: number): Total => ({ value, isEstimated: false })

export const about = (value: number): Total => ({ value, isEstimated: true })

const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 1_000

/** @throws AppError BAD_USER_INPUT for a size beyond 1 to 1 000, a cursor of another list, or both directions at once */
export function readPage(args: PageArgs, isKey: IsKey): Page {
  const { cursor, ...range } = readRange(args)
  const from = cursor === null ? null : readCursor(cursor, isKey)
  return { ...range, from, isCounted: args.isCounted }
}

/**
 * The same for lists that read their cursors themselves.
 * @throws AppError BAD_USER_INPUT for a size beyond 1 to 1 000, or both directions at once
 */
export function readRange(args: PageArgs): Range & { cursor: string | null } {
  const { first, after, last, before } = args
  const isBackward = (last ?? before ?? null) !== null
  if (isBackward && (first ?? after ?? null) !== null)
    throw badInput('Give either first and after, or last and before')
  const limit = first ?? last ?? DEFAULT_PAGE_SIZE
  if (limit < 1 || limit > MAX_PAGE_SIZE)
    throw badInput(`${isBackward ? 'last' : 'first'}: expected 1 to ${MAX_PAGE_SIZE}, not ${limit}`)
  return { limit, isBackward, cursor: after ?? before ?? null }
}

/** Tells whether the parts of a cursor are values of the list's sort key. */
export type IsKey = (parts: readonly string[]) => boolean

export const cursorOf = (...key: (string | number)[]): string =>
  Buffer.from(key.join(' ')).toString('base64url')

function readCursor(cursor: string, isKey: IsKey): string[] {
  const parts = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!parts.every(isDatabaseText) || !isKey(parts))
    throw badInput('The cursor does not belong to this list')
  return parts
}

/** Rows of a page. */
export interface PageRows<Node> {
  /** In reading direction, one more than the page's limit where the list goes on. */
  rows: readonly Node[]
  cursorOf(node: Node): string
  count(): Promise<Total | number>
  /** Also where a page ends before its limit; by the number of rows if absent. */
  goesOn?: boolean
}

/** @param from null where the page begins at an end of its list */
export function connect<Node>(
  { limit, isBackward, from }: Range & { from: unknown },
  { rows, cursorOf, count, goesOn = rows.length > limit }: PageRows<Node>,
): Connection<Node> {
  const nodes = rows.slice(0, limit)
  if (isBackward) nodes.reverse()
  const edges = nodes.map((node) => ({ cursor: cursorOf(node), node }))
  return {
    nodes,
    edges,
    count: once(from === null && !goesOn ? async () => nodes.length : count),
    pageInfo: {
      hasNextPage: isBackward ? from !== null : goesOn,
      hasPreviousPage: isBackward ? goesOn : from !== null,
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  }
}

function once(count: () => Promise<Total | number>): () => Promise<Total> {
  let counting: Promise<Total> | undefined
  const run = async () => {
    const total = await count()
    return typeof total === 'number' ? exactly(total) : total
  }
  return () => {
    counting ??= run()
    return counting
  }
}

const badInput = (message: string): AppError => new AppError('BAD_USER_INPUT', message)
