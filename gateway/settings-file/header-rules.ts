import type { Context } from '../../platform/access/caller.ts'
import type { Introduction, ResponseHeaders } from '../federation/index.ts'
import { claimAt } from '../sign-in/claims.ts'

/** One rule for headers, as the file of settings has it. */
export interface HeaderRule {
  propagate?: string
  matching?: string
  insert?: string
  remove?: string
  as?: string
  default?: string
  value?: string
  claim?: string
  combine?: 'last' | 'first' | 'append'
}

type Headers = Record<string, string>

/** Headers that belong to one connection or one body, or that the gateway makes itself. */
const OWN =
  /^(host|connection|keep-alive|te|trailers?|upgrade|transfer-encoding|expect|http2-settings|content-[a-z-]+|proxy-[a-z-]+|sec-websocket-[a-z-]+|accept|accept-encoding|assay-caller|x-request-id)$/i
/** Headers that a gateway answers for: its response is made of several. */
const OWN_OF_RESPONSES = /^(cache-control|etag|vary|date|www-authenticate|access-control-[a-z-]+)$/i

/** @returns undefined for a header that rules may name */
export const ownHeader = (name: string, isOfResponse: boolean): string | undefined =>
  OWN.test(name) || (isOfResponse && OWN_OF_RESPONSES.test(name))
    ? `${name} is a header of the gateway itself`
    : undefined

/** Headers of clients that any rule reads. */
export const readBy = (rules: readonly HeaderRule[]) => ({
  names: [...new Set(rules.flatMap(({ propagate }) => propagate?.toLowerCase() ?? []))].sort(),
  patterns: [...new Set(rules.flatMap(({ matching }) => matching ?? []))].map((text) => {
    const pattern = new RegExp(text)
    return { test: (name: string) => !OWN.test(name) && pattern.test(name) }
  }),
})

/** Compiles what a subgraph gets of a request. */
export function introductionBy(rules: readonly HeaderRule[]): Introduction {
  const steps = rules.map(requestStep)
  return {
    socketPerCaller: true,
    of(context) {
      const made: Headers = {}
      for (const step of steps) step(made, context)
      return made
    },
  }
}

type RequestStep = (made: Headers, context: Context) => void

function requestStep(rule: HeaderRule): RequestStep {
  const { propagate, matching, insert, remove, as = propagate, default: standard, claim } = rule
  if (propagate !== undefined) {
    const from = propagate.toLowerCase()
    const to = as?.toLowerCase() ?? from
    return (made, { headers }) => {
      const value = headers?.[from] ?? standard
      if (value !== undefined) made[to] = value
    }
  }
  if (matching !== undefined) {
    const pattern = new RegExp(matching)
    return (made, { headers = {} }) => {
      for (const [name, value] of Object.entries(headers))
        if (!OWN.test(name) && pattern.test(name)) made[name] = value
    }
  }
  if (insert !== undefined) {
    const to = insert.toLowerCase()
    return (made, { caller }) => {
      const value = claim === undefined ? rule.value : (claimText(caller.claims, claim) ?? standard)
      if (value === undefined) delete made[to]
      else made[to] = value
    }
  }
  const gone = remove?.toLowerCase() ?? ''
  return (made) => void delete made[gone]
}

/** Text that a header may have; anything else of a token is percent-encoded. */
function claimText(claims: object | undefined, path: string): string | undefined {
  const value = claims && claimAt(claims, path)
  if (value === undefined || value === null) return undefined
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /^[\x20-\x7e]*$/.test(text) ? text : encodeURIComponent(text)
}

const HINTS: ReadonlySet<string> = new Set(['cache-control', 'age'])

/**
 * Compiles what is read of the headers of a subgraph; undefined where that is nothing.
 * @param isHinted true to read what it allows caches, too
 */
export function responseHeadersBy(
  rules: readonly HeaderRule[],
  isHinted = false,
): ResponseHeaders | undefined {
  if (rules.length === 0 && !isHinted) return undefined
  const { names, patterns } = readBy(rules)
  return {
    isWanted: (name) =>
      (isHinted && HINTS.has(name)) ||
      ((names.includes(name) || patterns.some((pattern) => pattern.test(name))) &&
        ownHeader(name, true) === undefined),
    pick(headers) {
      const made: ReturnType<ResponseHeaders['pick']> = []
      if (isHinted) {
        const given = headers.filter(([name]) => HINTS.has(name))
        const value = given.map(([name, text]) => (name === 'age' ? `age=${text}` : text)).join()
        made.push({ name: 'cache-control', value, combine: 'hint' })
      }
      for (const rule of rules) {
        const { propagate, matching, insert, remove, as = propagate, combine = 'last' } = rule
        const pattern = matching === undefined ? undefined : new RegExp(matching)
        if (propagate !== undefined || pattern) {
          const found = headers.filter(([name]) =>
            pattern ? pattern.test(name) : name === propagate?.toLowerCase(),
          )
          for (const [name, value] of found)
            made.push({ name: (as ?? name).toLowerCase(), value, combine })
          if (found.length === 0 && rule.default !== undefined && as)
            made.push({ name: as.toLowerCase(), value: rule.default, combine })
        } else if (insert !== undefined)
          made.push({ name: insert.toLowerCase(), value: rule.value ?? '', combine })
        else
          for (let at = made.length - 1; at >= 0; at--)
            if (made[at]?.name === remove?.toLowerCase()) made.splice(at, 1)
      }
      return made
    },
  }
}
