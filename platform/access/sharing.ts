import type { Caller } from './caller.ts'
import { FIELD_RULES, type Rule, TYPE_RULES } from './rules.ts'

/**
 * Rules of data that is the same for all callers with the same permissions. What other rules guard, such as accounts, may
 * depend on who asks, and a type without a rule might: neither is shared.
 */
const SHARED: ReadonlySet<Rule> = new Set(['artifacts:read', 'executions:read', 'events:read'])

/** Streams whose service decides who may open them, by permissions alone. */
const SHARED_STREAMS: ReadonlySet<string> = new Set(['executionUpdated'])

/** True if callers with the same permissions may share a field's answer. @param type that has the field */
export function isShared(type: string, field: string): boolean {
  if (type === 'Subscription')
    return SHARED_STREAMS.has(field) || has(FIELD_RULES, `${type}.${field}`)
  return type === 'PageInfo' || has(TYPE_RULES, type.replace(/(Connection|Edge)$/, ''))
}

function has(rules: Readonly<Record<string, Rule>>, name: string): boolean {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  return rule !== undefined && SHARED.has(rule)
}

/** Stands for all callers with the same permissions. It has no identity that a resolver could read. */
export const sharedCaller = (caller: Caller): Caller =>
  caller.refusal
    ? caller
    : {
        requestId: caller.requestId,
        user: caller.user === null ? null : 'A signed-in user',
        permissions: caller.permissions,
      }
