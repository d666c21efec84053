import { ok } from './answers.ts'
import { type Answer, inQuery, type Parameter } from './documents/description.ts'
import { listOf, ref } from './documents/json-schema.ts'
import { linkHeader, type NumberedPage, pageLinks } from './page-links.ts'
import { badQuery } from './parameters.ts'
import type { Address, RestResponse } from './route.ts'

const DEFAULT_PAGE_SIZE = 10
const MAX_PAGE_SIZE = 1_000
/** The greatest Int of GraphQL; no list is that long. */
const MAX_OFFSET = 2 ** 31 - 1

/** The parameters of numbered pages. */
export const PAGED: readonly Parameter[] = [
  inQuery('pageNumber', 'From 0.', { type: 'integer', minimum: 0, default: 0 }),
  inQuery('pageSize', 'Items on a page.', {
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: DEFAULT_PAGE_SIZE,
  }),
]

/** Describes the response of `numberedAnswer`. @param schema of an item: its name */
export const numberedPage = (schema: string): Answer => ({
  description: 'One page',
  schema: listOf(ref(schema)),
  headers: {
    'X-Total-Count': 'How many there are on all pages',
    Link: 'The first, previous, next and last page (RFC 8288)',
  },
})

export interface Numbered<Node> {
  nodes: readonly Node[]
  totalCount: number
}

/** The page of a list that a request asks for. */
export const numberedAnswer = <Node>(
  { nodes, totalCount }: Numbered<Node>,
  request: Address,
  itemOf: (node: Node) => unknown,
): RestResponse => ({
  ...ok(nodes.map(itemOf)),
  headers: {
    'X-Total-Count': String(totalCount),
    ...linkHeader(pageLinks(request.path, request.repeated, parsePage(request), totalCount)),
  },
})

/** Arguments of a list for its page. @throws AppError BAD_USER_INPUT that names pageNumber or pageSize */
export function pageVariables(request: Address): { first: number; offset: number } {
  const { pageNumber, pageSize } = parsePage(request)
  return { first: pageSize, offset: Math.min(pageNumber * pageSize, MAX_OFFSET) }
}

function parsePage({ query }: Address): NumberedPage {
  const pageNumber = integer(query.pageNumber, 0)
  const pageSize = integer(query.pageSize, DEFAULT_PAGE_SIZE)
  if (pageNumber === null) throw badQuery('pageNumber', 'an integer from 0')
  if (pageSize === null || pageSize < 1 || pageSize > MAX_PAGE_SIZE)
    throw badQuery('pageSize', `an integer from 1 to ${MAX_PAGE_SIZE}`)
  return { pageNumber, pageSize }
}

/** `sort=name`, `sort=name, desc`, and several of them. @throws AppError BAD_USER_INPUT that names the fault */
export const parseSort = ({ repeated }: Address) =>
  (repeated.sort ?? []).map((text) => {
    const [attribute = '', direction = 'asc', ...rest] = text.split(',').map((part) => part.trim())
    if (attribute === '' || rest.length > 0) throw badQuery('sort', '<attribute>,<asc or desc>')
    if (!/^(asc|desc)$/i.test(direction))
      throw badQuery('sort', `asc or desc behind ${attribute}, not ${JSON.stringify(direction)}`)
    return { attribute, direction: direction.toUpperCase() }
  })

/** @throws AppError BAD_USER_INPUT unless it is the text of a JSON object */
export function parseFilter({ query }: Address): Record<string, unknown> | null {
  if (query.filter === undefined) return null
  const filter = parsed(query.filter)
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter))
    throw badQuery('filter', 'a JSON object from attributes to values')
  return filter as Record<string, unknown>
}

function integer(text: string | undefined, absent: number): number | null {
  if (text === undefined) return absent
  return /^\d+$/.test(text.trim()) ? Number(text) : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
