/** Addresses of links, by relation. */
export type Links = Readonly<Record<string, string>>

/** Characters of the whole header. Many clients read 8 KiB of headers at most, and a link repeats the query. */
const MAX_LINK = 6_000

/** Links that are kept when there is no room for all. */
const WANTED = ['next', 'prev', 'first', 'last']

/** The `Link` header (RFC 8288); none when not one link fits. */
export function linkHeader(links: Links): Record<string, string> {
  const kept = new Map<string, string>()
  let room = MAX_LINK
  for (const relation of WANTED) {
    const link = links[relation] === undefined ? '' : `<${links[relation]}>; rel="${relation}"`
    if (link === '' || link.length > room) continue
    kept.set(relation, link)
    room -= link.length
  }
  const inOrder = Object.keys(links).flatMap((relation) => kept.get(relation) ?? [])
  return inOrder.length > 0 ? { Link: inOrder.join(', ') } : {}
}

type Query = Readonly<Record<string, readonly string[]>>

/** A numbered page of a list. */
export interface NumberedPage {
  pageNumber: number
  pageSize: number
}

/**
 * First, previous, next and last page of a list, as far as there are any.
 * @param path of the list @param query its parameters; the links keep those that choose and order
 */
export function pageLinks(
  path: string,
  query: Query,
  { pageNumber, pageSize }: NumberedPage,
  totalCount: number,
): Links {
  const last = Math.max(0, Math.ceil(totalCount / pageSize) - 1)
  const pages = {
    first: 0,
    ...(pageNumber > 0 ? { prev: Math.min(pageNumber - 1, last) } : {}),
    ...(pageNumber < last ? { next: pageNumber + 1 } : {}),
    last,
  }
  const links = Object.entries(pages).map(([relation, page]) => {
    const address = keptOf(query, KEPT)
    address.append('pageNumber', String(page))
    address.append('pageSize', String(pageSize))
    return [relation, `${path}?${address}`]
  })
  return Object.fromEntries(links)
}

const KEPT: ReadonlySet<string> = new Set(['sort', 'filter'])

/** The parameters of these names. */
export function keptOf(query: Query, kept: ReadonlySet<string>): URLSearchParams {
  const result = new URLSearchParams()
  for (const [name, values] of Object.entries(query))
    if (kept.has(name)) for (const value of values) result.append(name, value)
  return result
}
