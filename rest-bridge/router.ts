import type { IncomingMessage } from 'node:http'
import findMyWay from 'find-my-way'
import { tidyUrl } from './paths.ts'
import type { Address, Route } from './route.ts'

/** A documented path that a request asks for. */
export interface Found {
  /** As documented, below `root`. */
  path: string
  /** What it offers. */
  rows: readonly Route[]
  /** The one that is asked for, where it is offered. */
  route: Route | undefined
  address: Address
}

/** Characters of a part of a path; the header of a request has no room for more. */
const MAX_PART = 16_384

/**
 * Finds the route of a request: doubled slashes count as one, a last slash as none.
 * @returns null for what is none of their paths
 */
export function createRouter(
  root: string,
  routes: readonly Route[],
): (request: IncomingMessage) => Found | null {
  const table = findMyWay({
    caseSensitive: true,
    ignoreDuplicateSlashes: true,
    ignoreTrailingSlash: true,
    maxParamLength: MAX_PART,
  })
  // The path alone decides, whatever is asked of it, so each has one entry.
  for (const [below, rows] of Map.groupBy(routes, (route) => route.path)) {
    const path = root + below
    table.on('GET', path, () => {}, { path, rows })
  }

  return ({ method, url = '' }) => {
    const found = table.find('GET', url)
    if (!found) return null
    const { params, searchParams } = found
    const { path, rows }: Pick<Found, 'path' | 'rows'> = found.store
    const wanted = method === 'HEAD' ? 'get' : method?.toLowerCase()
    return {
      path,
      rows,
      route: rows.find((row) => row.method === wanted),
      address: {
        path: tidyUrl(url).split('?', 1)[0]?.replace(/\/$/, '') ?? '',
        params: params as Record<string, string>,
        ...parametersOf(searchParams),
      },
    }
  }
}

/** @param given a text for each name, or several */
function parametersOf(
  given: Record<string, string | string[]>,
): Pick<Address, 'query' | 'repeated'> {
  const query: Record<string, string> = Object.create(null)
  const repeated: Record<string, string[]> = Object.create(null)
  for (const name in given) {
    const values = [given[name] ?? []].flat()
    repeated[name] = values
    query[name] = values.at(-1) ?? ''
  }
  return { query, repeated }
}
