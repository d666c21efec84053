import type { Caller, Context } from '../../subgraphs/shared/caller.ts'

const keys = new WeakMap<Context, string>()

/** Equal for contexts that subgraphs must answer alike: all that they are told, but not in which request. */
export function contextKey(context: Context): string {
  const known = keys.get(context)
  if (known !== undefined) return known
  const { caller, headers } = context
  const key = callerKey(caller) + (headers ? JSON.stringify(headers) : '')
  keys.set(context, key)
  return key
}

/** Equal for callers whom subgraphs must answer alike. */
export function callerKey({ user, account, session, refusal, permissions }: Caller): string {
  const told = { user, account, session, refusal, permissions: textOf(permissions) }
  return JSON.stringify(
    told satisfies Record<keyof Omit<Caller, 'requestId' | 'expiresAt'>, unknown>,
  )
}

const texts = new WeakMap<readonly string[], string>()

/** Many callers have the very same list. */
function textOf(permissions: readonly string[]): string {
  const text = texts.get(permissions) ?? JSON.stringify(permissions)
  texts.set(permissions, text)
  return text
}
