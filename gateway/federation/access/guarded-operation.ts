import { LRUCache } from 'lru-cache'
import type { Context } from '../../../platform/access/caller.ts'
import type { PreparedOperation } from '../operation/prepared-operation.ts'
import { OperationResult } from '../operation/responding.ts'
import type { Requirement } from './access-rules.ts'
import type { OperationAccess, PermittedOperation } from './operation-access.ts'

/** Proofs of a caller. */
export interface Grants {
  isAuthenticated: boolean
  scopes: ReadonlySet<string>
  policies: ReadonlySet<string>
}

export interface Authorization {
  /** @param policies those that count for the operation @throws never: what cannot be found out is not granted */
  grantsOf(context: Context, policies: readonly string[]): Promise<Grants>
  /** True if an operation with any field that its caller may not have is refused as a whole. */
  rejects: boolean
  /** True if something decides about policies. */
  decidesPolicies: boolean
}

/** Without settings, no requirement is met. */
export const NOTHING_GRANTED: Authorization = {
  grantsOf: async () => ({ isAuthenticated: false, scopes: new Set(), policies: new Set() }),
  rejects: false,
  decidesPolicies: false,
}

/** Different sets of denied requirements of one operation that are kept planned. */
const MAX_VARIANTS = 64

interface Variant {
  permitted: PermittedOperation
  operation: Promise<PreparedOperation> | undefined
}

/**
 * An operation that is planned, fetched and shaped without what its caller may not have. All who may have the same share
 * a plan; nothing else is shared between them.
 * @param whole for callers who may have all of it
 */
export function guardedOperation(
  whole: PreparedOperation,
  access: OperationAccess,
  { grantsOf, rejects }: Authorization,
  prepareAs: (permitted: PermittedOperation) => Promise<PreparedOperation>,
): PreparedOperation {
  const policies = access.requirements.flatMap((each) =>
    each.kind === 'policies' ? each.anyOf.flat() : [],
  )
  const variants = new LRUCache<string, Variant>({ max: MAX_VARIANTS })

  async function operationFor(context: Context): Promise<PreparedOperation | OperationResult> {
    const grants = await grantsOf(context, [...new Set(policies)])
    const denied = access.requirements.filter((each) => !isMet(each, grants))
    if (denied.length === 0) return whole
    const key = denied.map((each) => access.requirements.indexOf(each)).join()
    const variant: Variant = variants.get(key) ?? {
      permitted: access.without(new Set(denied), key),
      operation: undefined,
    }
    variants.set(key, variant)
    const { permitted } = variant
    if (rejects) return new OperationResult(permitted.errors, null)
    variant.operation ??= prepareAs(permitted).catch((error) => {
      variant.operation = undefined
      throw error
    })
    return variant.operation
  }

  return {
    kind: whole.kind,
    size: whole.size,
    // A reload ends its streams, as another version may require more.
    subscription: undefined,
    isDeferred: whole.isDeferred,
    async run(variables, context, isIncremental) {
      const operation = await operationFor(context)
      return operation instanceof OperationResult
        ? operation
        : operation.run(variables, context, isIncremental)
    },
    async explain(context) {
      const operation = await operationFor(context)
      return operation instanceof OperationResult ? operation : operation.explain(context)
    },
    async subscribe(variables, context) {
      const operation = await operationFor(context)
      return operation instanceof OperationResult
        ? operation
        : operation.subscribe(variables, context)
    },
  }
}

function isMet(requirement: Requirement, { isAuthenticated, scopes, policies }: Grants): boolean {
  if (requirement.kind === 'authenticated') return isAuthenticated
  const granted = requirement.kind === 'scopes' ? scopes : policies
  return requirement.anyOf.some((all) => all.length > 0 && all.every((each) => granted.has(each)))
}
