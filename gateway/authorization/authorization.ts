import { LRUCache } from 'lru-cache'
import type { Context } from '../../platform/access/caller.ts'
import type { Logger } from '../../platform/process/logger.ts'
import type { Authorization } from '../federation/index.ts'
import { firstOfSecond } from '../http/held-back.ts'
import { namesAt } from '../sign-in/claims.ts'
import { isRecord } from '../sign-in/is-record.ts'

/** Settings for the access directives of a supergraph. */
export interface AuthorizationSettings {
  rejects?: boolean
  /** Decides which policies a caller meets; without it, none. */
  policies?: { url: string; timeoutMs?: number; cacheMs?: number; token?: string }
}

const TIMEOUT_MS = 2_000
const CACHED_ANSWERS = 10_000
const FAILURES_A_SECOND = 1
const MAX_ANSWER_CHARACTERS = 1024 * 1024

/** Grants by the claims of verified tokens, and by a webhook. What cannot be found out is not granted. */
export function createAuthorization(
  { rejects = false, policies: webhook }: AuthorizationSettings,
  log: Logger,
): Authorization {
  const { cacheMs = 0 } = webhook ?? {}
  const answers = new LRUCache<string, ReadonlySet<string>>({
    max: CACHED_ANSWERS,
    ttl: Math.max(cacheMs, 1),
  })
  const isLogged = firstOfSecond(FAILURES_A_SECOND)

  async function granted(
    policies: readonly string[],
    { caller, headers = {} }: Context,
  ): Promise<ReadonlySet<string>> {
    if (!webhook || policies.length === 0) return NONE
    const body = JSON.stringify({ policies, claims: caller.claims ?? null, headers })
    const known = cacheMs > 0 ? answers.get(body) : undefined
    if (known) return known
    try {
      const found = await ask(webhook, body)
      if (cacheMs > 0) answers.set(body, found)
      return found
    } catch (err) {
      if (isLogged()) log.error({ err }, 'Policies not decided: they count as not met')
      return NONE
    }
  }

  return {
    rejects,
    decidesPolicies: webhook !== undefined,
    async grantsOf(context, policies) {
      const { claims } = context.caller
      const scopes = claims && (namesAt(claims, 'scope') ?? namesAt(claims, 'scp'))
      return {
        isAuthenticated: claims !== undefined,
        scopes: new Set(scopes ?? []),
        policies: await granted(policies, context),
      }
    },
  }
}

const NONE: ReadonlySet<string> = new Set()

/** @returns the policies that are met @throws Error for every other answer */
async function ask(
  { url, timeoutMs = TIMEOUT_MS, token }: NonNullable<AuthorizationSettings['policies']>,
  body: string,
): Promise<ReadonlySet<string>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The webhook of policies answered with ${response.status}`)
  const answer: unknown = text.length <= MAX_ANSWER_CHARACTERS ? JSON.parse(text) : null
  const granted = isRecord(answer) ? answer.granted : undefined
  if (!Array.isArray(granted))
    throw new Error('The webhook of policies did not answer {"granted": [names]}')
  return new Set(granted.filter((name) => typeof name === 'string'))
}
