/** A numbered page of a list. */
export interface NumberedPage {
  pageNumber: number
  pageSize: number
}

/**
 * The `Link` header of a list (RFC 8288): first, prev, next and last page, as far as there are any.
 * @param path of the list @param query its parameters, which the links keep
 */
export function pageLinks(
  path: string,
  query: Readonly<Record<string, readonly string[]>>,
  { pageNumber, pageSize }: NumberedPage,
  totalCount: number,
): string {
  const last = Math.max(0, Math.ceil(totalCount / pageSize) - 1)
  const pages = {
    first: 0,
    prev: pageNumber > 0 ? Math.min(pageNumber - 1, last) : null,
    next: pageNumber < last ? pageNumber + 1 : null,
    last,
  }
  return Object.entries(pages)
    .filter(([, page]) => page !== null)
    .map(
      ([relation, page]) =>
        `<${path}?${withPage(query, Number(page), pageSize)}>; rel="${relation}"`,
    )
    .join(', ')
}

function withPage(
  query: Readonly<Record<string, readonly string[]>>,
  pageNumber: number,
  pageSize: number,
): URLSearchParams {
  const pairs = Object.entries(query)
    .filter(([name]) => name !== 'pageNumber' && name !== 'pageSize')
    .flatMap(([name, values]) => values.map((value): [string, string] => [name, value]))
  return new URLSearchParams([
    ...pairs,
    ['pageNumber', String(pageNumber)],
    ['pageSize', String(pageSize)],
  ])
}
