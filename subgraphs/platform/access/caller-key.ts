import type { Caller, Context } from './caller.ts'

/** Equal for contexts that subgraphs must answer alike: all that they learn, but not in which request. */
export const contextKey = ({ caller, headers }: Context): string =>
  callerKey(caller) + (headers ? JSON.stringify(headers) : '')

/** Equal for callers whom subgraphs must answer alike, for as long as this process runs. */
export function callerKey({ user, account, session, refusal, permissions }: Caller): string {
  const may = numberOf(permissions)
  if (user === null && !account && !session && !refusal) return may
  const known = { user, account, session, refusal, permissions: may }
  return JSON.stringify(
    known satisfies Record<
      keyof Omit<Caller, 'requestId' | 'traceparent' | 'expiresAt' | 'address'>,
      unknown
    >,
  )
}

const numbers = new WeakMap<readonly string[], string>()
const byText = new Map<string, string>()

/** Many callers have the very same list, and there are few different ones. */
function numberOf(permissions: readonly string[]): string {
  const known = numbers.get(permissions)
  if (known) return known
  const text = JSON.stringify(permissions)
  const number = byText.get(text) ?? String(byText.size)
  byText.set(text, number)
  numbers.set(permissions, number)
  return number
}
