import { type Answer, inQuery, showing } from './documents/description.ts'
import { listOf, ref } from './documents/json-schema.ts'
import { keptOf, linkHeader } from './page-links.ts'
import { badQuery } from './parameters.ts'
import type { Address, RestResponse } from './route.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 1_000
/** Stands before a cursor from which to read backwards; no cursor of the graph holds it. */
const BACKWARDS = '~'

/** Parts of a row for a page of a connection in the graph: its parameters, and the variables and arguments of its operation. */
export const PAGE = {
  parameters: [
    inQuery('limit', 'Items on a page at most; it also ends where they have PAGE_BYTES.', {
      type: 'integer',
      minimum: 1,
      maximum: MAX_LIMIT,
      default: DEFAULT_LIMIT,
    }),
    showing(
      inQuery('cursor', 'Where the page begins, as the Link of another page says.'),
      'MTc2OQ',
    ),
  ],
  /** Variables of the operation; `parseCursorPage` gives them. */
  variables: '$first: Int, $after: String, $last: Int, $before: String',
  /** Arguments of the connection. */
  arguments: 'first: $first, after: $after, last: $last, before: $before',
  /** Fields of the connection besides its nodes: see `Listed`. */
  info: 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount isTotalCountEstimated',
} as const

/** Says that `counts.total` is no count. */
const ESTIMATED = 'X-Total-Count-Estimated'

const LINK = 'The first, previous and next page (RFC 8288)'

/** Describes the response of `listAnswer`. @param schema its name */
export const listPage = (schema: string): Answer => ({
  description: 'One page, the newest first, and how many there are on all pages',
  schema: ref(schema),
  headers: { Link: LINK, [ESTIMATED]: '`true` where the total is an estimate' },
})

/** Describes the response of `arrayAnswer`. @param schema of an item: its name */
export const arrayPage = (schema: string): Answer => ({
  description: 'One page',
  schema: listOf(ref(schema)),
  headers: {
    'X-Total-Count': 'How many there are on all pages',
    Link: LINK,
  },
})

/** A page of a connection in the graph, with the fields of `PAGE.info`. */
export interface Listed<Node> {
  nodes: Node[]
  totalCount: number
  isTotalCountEstimated: boolean
  pageInfo: {
    hasNextPage: boolean
    hasPreviousPage: boolean
    startCursor: string | null
    endCursor: string | null
  }
}

/** Reads `cursor` and `limit`. @throws AppError BAD_USER_INPUT that names the parameter */
export function parseCursorPage({ query }: Address) {
  const limit = query.limit === undefined ? DEFAULT_LIMIT : integer(query.limit)
  if (limit === null || limit < 1 || limit > MAX_LIMIT) throw badQuery('limit', `1 to ${MAX_LIMIT}`)
  const { cursor } = query
  if (!cursor) return { first: limit }
  if (!/^~?[\w-]+$/.test(cursor)) throw badQuery('cursor', 'one out of a Link')
  return cursor.startsWith(BACKWARDS)
    ? { last: limit, before: cursor.slice(1) }
    : { first: limit, after: cursor }
}

/**
 * A list as clients of the event interface read it: total and items, and in `Link` (RFC 8288) the first page and, as
 * far as there are any, the neighbours of this one.
 */
export function listAnswer<Node>(
  list: Listed<Node>,
  request: Address,
  itemOf: (node: Node) => unknown,
): RestResponse {
  return {
    status: 200,
    body: { counts: { total: list.totalCount }, items: list.nodes.map(itemOf) },
    headers: pageHeaders(list, request),
  }
}

/** A list as the other interface answers it: an array, with the total and the neighbours in headers. */
export const arrayAnswer = <Node>(
  list: Listed<Node>,
  request: Address,
  itemOf: (node: Node) => unknown,
): RestResponse => ({
  status: 200,
  body: list.nodes.map(itemOf),
  headers: { 'X-Total-Count': String(list.totalCount), ...pageHeaders(list, request) },
})

function pageHeaders<Node>(
  { isTotalCountEstimated, pageInfo }: Listed<Node>,
  request: Address,
): Record<string, string> {
  const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo
  const links = {
    first: address(request, null),
    ...(hasPreviousPage && startCursor ? { prev: address(request, BACKWARDS + startCursor) } : {}),
    ...(hasNextPage && endCursor ? { next: address(request, endCursor) } : {}),
  }
  return { ...linkHeader(links), ...(isTotalCountEstimated && { [ESTIMATED]: 'true' }) }
}

/** Parameters that choose items. */
const KEPT: ReadonlySet<string> = new Set(
  'q sort limit state user action target from to level source text filter verdict owner current'.split(
    ' ',
  ),
)

/** Address of a page of the same list. */
function address({ path, repeated }: Address, cursor: string | null): string {
  const query = keptOf(repeated, KEPT)
  if (cursor) query.append('cursor', cursor)
  return query.size > 0 ? `${path}?${query}` : path
}

const integer = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null)
