import type { IncomingMessage } from 'node:http'
import { parse } from 'node:querystring'
import findMyWay from 'find-my-way'
import { tidyUrl } from './paths.ts'
import type { Address, Route } from './route.ts'

/** A documented path that a request asks for. */
export interface Found {
  /** As documented, with the root. */
  path: string
  /** What it offers. */
  rows: readonly Route[]
  /** The one that is asked for, where it is offered. */
  route: Route | undefined
  /** @throws URIError for what is not percent-encoded UTF-8 */
  address(): Address
}

/**
 * Finds the route of a request: doubled slashes count as one, a last slash as none. Only what stands for a parameter may be
 * percent-encoded, so that whoever stands in front and judges by path sees what is meant.
 * @returns null for what is none of their paths
 */
export function createRouter(
  root: string,
  routes: readonly Route[],
): (request: IncomingMessage) => Found | null {
  const table = findMyWay({
    caseSensitive: true,
    ignoreTrailingSlash: true,
    maxParamLength: Number.MAX_SAFE_INTEGER,
  })
  // The path alone decides, whatever is asked of it, so each has one entry.
  for (const [below, rows] of Map.groupBy(routes, (route) => route.path)) {
    const path = root + below
    table.on('GET', path, () => {}, { path, rows })
  }

  return ({ method, url = '' }) => {
    const [path = '', query = ''] = parted(tidyUrl(url))
    if (!path.startsWith('/')) return null
    // It decodes what it is given, which leaves what the client wrote.
    const found = table.find('GET', path.replaceAll(/[%#]/g, encodeURIComponent))
    if (!found) return null
    const wanted = method === 'HEAD' ? 'get' : method?.toLowerCase()
    const { path: documented, rows }: Pick<Found, 'path' | 'rows'> = found.store
    return {
      path: documented,
      rows,
      route: rows.find((row) => row.method === wanted),
      address: () => ({
        path: path.replace(/\/$/, ''),
        params: decoded(found.params),
        ...parametersOf(query),
      }),
    }
  }
}

/** Path and query; browsers keep to themselves what stands behind `#`. */
function parted(url: string): [path: string, query: string] {
  const at = url.indexOf('?')
  if (at === -1) return [url, '']
  return [url.slice(0, at), url.slice(at + 1).split('#', 1)[0] ?? '']
}

const decoded = (params: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value = '']) => [name, decodeURIComponent(value)]),
  )

function parametersOf(text: string): Pick<Address, 'query' | 'repeated'> {
  const query: Record<string, string> = Object.create(null)
  const repeated: Record<string, string[]> = Object.create(null)
  for (const [name, given] of Object.entries(parse(text))) {
    const values = [given ?? []].flat()
    repeated[name] = values
    query[name] = values.at(-1) ?? ''
  }
  return { query, repeated }
}
