import type { Context } from '../../subgraphs/shared/caller.ts'

const keys = new WeakMap<Context, string>()

/** Equal for callers whom subgraphs must answer alike: all that they are told of a caller but the request. */
export function callerKey(context: Context): string {
  const known = keys.get(context)
  if (known !== undefined) return known
  const { requestId: _, expiresAt: __, permissions, ...rest } = context.caller
  const key = `${textOf(permissions)}${JSON.stringify([rest, context.headers])}`
  keys.set(context, key)
  return key
}

const texts = new WeakMap<readonly string[], string>()

/** Many callers have the very same list. */
function textOf(permissions: readonly string[]): string {
  const text = texts.get(permissions) ?? JSON.stringify(permissions)
  texts.set(permissions, text)
  return text
}
