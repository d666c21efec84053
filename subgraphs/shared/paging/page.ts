import { AppError } from '../../../schema/errors.ts'

export interface PageArgs {
  first?: number | null
  after?: string | null
  last?: number | null
  before?: string | null
}

/** Which part of a list to read. Backward pages are read from their end and turned round. */
export interface Page {
  limit: number
  isBackward: boolean
  /** The key values behind which, in reading direction, the page begins. */
  from: string[] | null
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

/** How long a list is, or is thought to be. */
export interface Total {
  value: number
  isEstimated: boolean
}

export const exactly = (value: number): Total => ({ value, isEstimated: false })

export const about = (value: number): Total => ({ value, isEstimated: true })

const DEFAULT_PAGE_SIZE = 50
export const MAX_PAGE_SIZE = 1_000

/** @throws AppError BAD_USER_INPUT for a size beyond 1 to 1 000, a cursor of another list, or both directions at once */
export function readPage({ first, after, last, before }: PageArgs, isKey: IsKey): Page {
  const isBackward = (last ?? before ?? null) !== null
  if (isBackward && (first ?? after ?? null) !== null)
    throw badInput('Give either first and after, or last and before')
  const limit = first ?? last ?? DEFAULT_PAGE_SIZE
  if (limit < 1 || limit > MAX_PAGE_SIZE)
    throw badInput(`A page has 1 to ${MAX_PAGE_SIZE} items, not ${limit}`)
  const cursor = after ?? before ?? null
  return { limit, isBackward, from: cursor === null ? null : readCursor(cursor, isKey) }
}

/** Tells whether the parts of a cursor are values of the list's sort key. */
export type IsKey = (parts: readonly string[]) => boolean

export const cursorOf = (...key: (string | number)[]): string =>
  Buffer.from(key.join(' ')).toString('base64url')

function readCursor(cursor: string, isKey: IsKey): string[] {
  const parts = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!isKey(parts)) throw badInput('The cursor does not belong to this list')
  return parts
}

/**
 * @param rows in reading direction, one more than the page's limit where the list goes on
 * @param goesOn also where a page ends before its limit
 */
export function connect<Node>(
  { limit, isBackward, from }: Page,
  rows: readonly Node[],
  cursorOfNode: (node: Node) => string,
  count: () => Promise<Total | number>,
  goesOn = rows.length > limit,
): Connection<Node> {
  const nodes = rows.slice(0, limit)
  if (isBackward) nodes.reverse()
  const edges = nodes.map((node) => ({ cursor: cursorOfNode(node), node }))
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
