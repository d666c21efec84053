/** Where a link leads, by its relation. */
export type Links = Readonly<Record<string, string>>

/** Characters of the whole header. Many clients read 8 KiB of headers at most, and a link repeats the query. */
const MAX_LINK = 6_000

/** Which links are kept when there is no room for all. */
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
  query: Readonly<Record<string, readonly string[]>>,
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
  return Object.fromEntries(
    Object.entries(pages).map(([relation, page]) => [
      relation,
      `${path}?${withPage(query, page, pageSize)}`,
    ]),
  )
}

const KEPT: ReadonlySet<string> = new Set(['sort', 'filter'])

function withPage(
  query: Readonly<Record<string, readonly string[]>>,
  pageNumber: number,
  pageSize: number,
): URLSearchParams {
  const pairs = Object.entries(query)
    .filter(([name]) => KEPT.has(name))
    .flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
  return new URLSearchParams([
    ...pairs,
    ['pageNumber', String(pageNumber)],
    ['pageSize', String(pageSize)],
  ])
}
