import type { Context } from '../../../platform/access/caller.ts'

/** For how long caches may keep a response, and which. */
export interface CacheHint {
  seconds: number
  /** False for caches of one user alone. */
  isShared: boolean
}

/** Permission of an operator for caches to keep responses to queries. */
export interface CacheHints {
  scope: 'private' | 'public'
  /** Headers of clients that subgraphs may get, as `Vary` names them. */
  vary: readonly string[]
}

const FORBIDDEN: CacheHint = { seconds: 0, isShared: false }

/** Reads `Cache-Control` of a response, and `Age` as a last directive. Without `max-age` nothing is kept. */
export function cacheHintOf(text: string): CacheHint {
  const directives = text
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
  const named = (name: string) => directives.some((one) => one.split('=', 1)[0] === name)
  const secondsOf = (name: string) => {
    const found = directives.flatMap((one) => {
      const [, key, value] = /^([a-z-]+)="?(\d+)"?$/.exec(one) ?? []
      return key === name ? [Number(value)] : []
    })
    return found.length > 0 ? Math.min(...found) : undefined
  }
  const maxAge = secondsOf('max-age')
  if (maxAge === undefined || named('no-store') || named('no-cache')) return FORBIDDEN
  const age = secondsOf('age') ?? 0
  const seconds = Math.max(0, Math.min(maxAge, secondsOf('s-maxage') ?? maxAge) - age)
  return { seconds, isShared: !named('private') }
}

/** The stricter of both in each way. */
export const mergedHint = (one: CacheHint | undefined, other: CacheHint): CacheHint => ({
  seconds: Math.min(one?.seconds ?? other.seconds, other.seconds),
  isShared: (one?.isShared ?? true) && other.isShared,
})

/** Requests that subgraphs cannot tell apart by their caller. */
const isAnonymous = ({ caller, headers = {} }: Context): boolean =>
  caller.user === null && caller.claims === undefined && Object.keys(headers).length === 0

/** Headers of a response without errors; none where nothing may keep it. */
export function cacheHeaders(
  { scope, vary }: CacheHints,
  hint: CacheHint | undefined,
  context: Context,
): [name: string, value: string][] {
  if (!hint || hint.seconds === 0) return []
  const isShared = scope === 'public' && hint.isShared && isAnonymous(context)
  return [
    ['Cache-Control', `${isShared ? 'public' : 'private'}, max-age=${hint.seconds}`],
    ['Vary', ['Accept', 'Authorization', 'Cookie', 'Token', ...vary].join(', ')],
  ]
}
