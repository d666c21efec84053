import { AppError } from '../../../formats/errors.ts'
import { requirePermission } from '../../../platform/access/guard.ts'
import type { HttpRequest } from '../http-message.ts'

/** Values of the header: the plan beside the result, or in its place. */
const WISHES = ['true', 'only'] as const

export type PlanWish = (typeof WISHES)[number]

/**
 * Reads the header that asks for the plan of an operation.
 * @param isShown QUERY_PLANS
 * @throws AppError FORBIDDEN for callers who may not see plans: they name subgraphs, and how objects are found there
 */
export function planWish({ headers, caller }: HttpRequest, isShown: boolean): PlanWish | undefined {
  const given = headers['x-assay-query-plan']
  if (given === undefined) return undefined
  if (!isShown)
    throw new AppError('FORBIDDEN', 'Query plans are not shown here (QUERY_PLANS is off)')
  requirePermission(caller, 'audit:read')
  const wish = WISHES.find((each) => each === given)
  if (!wish)
    throw new AppError('BAD_USER_INPUT', `X-Assay-Query-Plan: expected ${WISHES.join(' or ')}`)
  return wish
}
