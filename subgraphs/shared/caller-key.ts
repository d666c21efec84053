import type { Caller, Context } from './caller.ts'

const KEY = Symbol('key')

/** A property, as `callerOf` has one: nearly every request makes a context. */
interface Keyed extends Context {
  [KEY]?: string
}

/** Equal for contexts that subgraphs must answer alike: all that they are told, but not in which request. */
export function contextKey(context: Keyed): string {
  const { caller, headers } = context
  context[KEY] ??= callerKey(caller) + (headers ? JSON.stringify(headers) : '')
  return context[KEY]
}

/** Equal for callers whom subgraphs must answer alike, for as long as this process runs. */
export function callerKey({ user, account, session, refusal, permissions }: Caller): string {
  const may = numberOf(permissions)
  if (user === null && !account && !session && !refusal) return may
  const told = { user, account, session, refusal, permissions: may }
  return JSON.stringify(
    told satisfies Record<keyof Omit<Caller, 'requestId' | 'expiresAt' | 'address'>, unknown>,
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
