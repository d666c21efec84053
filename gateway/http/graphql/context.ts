import type { Context } from '../../../platform/access/caller.ts'
import { isObject } from '../../federation/index.ts'
import type { Given } from '../../sign-in/credential.ts'
import type { HttpRequest } from '../http-message.ts'

/**
 * Context of a request for subgraphs.
 * @param params what opened the GraphQL connection that the request began
 */
export type ContextOf = (request: HttpRequest, params?: Given) => Context

/** Headers of clients that subgraphs may get, for now. */
export interface Forwarded {
  /** In lower case. */
  names: readonly string[]
  patterns: readonly Pick<RegExp, 'test'>[]
}

const isForwarded = ({ names, patterns }: Forwarded, name: string): boolean =>
  names.includes(name) || patterns.some((pattern) => pattern.test(name))

/** @param forwarded absent where subgraphs get none */
export function createContextOf(forwarded?: () => Forwarded): ContextOf {
  if (!forwarded) return ({ caller }) => ({ caller })
  /** Looked through once for all operations of a connection. */
  const brought = new WeakMap<Given, Given>()
  const broughtBy = (params: Given): Given => {
    const known = brought.get(params) ?? headersIn(params, forwarded())
    brought.set(params, known)
    return known
  }
  return (request, params) => {
    const { caller } = request
    const { names, patterns } = forwarded()
    if (names.length + patterns.length === 0) return { caller }
    const others = params && broughtBy(params)
    const headers: Record<string, string> = {}
    for (const name of names) {
      const value = request.headers[name] ?? others?.[name]
      if (value !== undefined) headers[name] = String(value)
    }
    if (patterns.length === 0) return { caller, headers }
    const given: Given = { ...others, ...request.headers }
    // In one order, as equal callers have equal headers.
    for (const name of Object.keys(given).sort())
      if (patterns.some((pattern) => pattern.test(name))) headers[name] = String(given[name])
    return { caller, headers }
  }
}

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/**
 * Browsers cannot set headers of a WebSocket, so clients send them in what opens the connection, there or below `headers`.
 * Headers of the request count more: a proxy in front may have put it there.
 */
function headersIn(params: Given, forwarded: Forwarded): Given {
  const below = isObject(params.headers) ? params.headers : {}
  return Object.fromEntries(
    [...Object.entries(below), ...Object.entries(params)]
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(
        ([name, value]) =>
          isForwarded(forwarded, name) && typeof value === 'string' && HEADER_VALUE.test(value),
      ),
  )
}

const CREDENTIALS: ReadonlySet<string> = new Set(['token', 'authorization'])

/**
 * Parts of the payload of `connection_init` that are kept: the sign-in, and the headers that subgraphs get. The rest would
 * take memory for as long as the socket is open.
 */
export function keptOf(payload: Given, forwarded: Forwarded): Given {
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(payload)) {
    if (value === null) continue
    const known = name.toLowerCase()
    // An object is no sign-in, but it has to be refused as one.
    if (CREDENTIALS.has(known)) kept[known] = typeof value === 'object' ? '' : value
    else if (isForwarded(forwarded, known) && typeof value === 'string') kept[known] = value
  }
  const headers = isObject(payload.headers) ? headersIn(payload.headers, forwarded) : {}
  return { ...kept, headers }
}
