import { AppError } from '../../../schema/errors.ts'
import type { Caller } from './caller.ts'
import { ANYONE, type Rule } from './rules.ts'

/**
 * The one place that checks the permission of a caller.
 * @throws AppError UNAUTHENTICATED where signing in may help, FORBIDDEN where it does not; for a sign-in that was
 *   refused, what it was refused with, also where no permission is needed
 */
export function requirePermission({ refusal, permissions, user }: Caller, rule: Rule): void {
  if (refusal) {
    const { code, message, ...options } = refusal
    throw new AppError(code, message, options)
  }
  if (rule === ANYONE || permissions.includes(rule)) return
  if (user === null) throw new AppError('UNAUTHENTICATED', `Sign in: this needs ${rule}`)
  throw new AppError('FORBIDDEN', `${user} may not do this: it needs ${rule}`)
}
