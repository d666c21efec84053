import type { QueryPlan } from '@apollo/query-planner'
import type {
  DocumentNode,
  FieldNode,
  GraphQLObjectType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import { charactersIn } from '../../../formats/json/json.ts'
import { FederationError, isCoded } from '../errors.ts'
import type { PendingPart } from '../executor/object-shape.ts'
import { copied, type Json } from '../executor/own.ts'
import type { PlanRun } from '../executor/plan-run.ts'
import { Selection } from '../executor/selection.ts'
import { compileShape } from '../executor/shape.ts'
import { compileBlocks } from '../executor/stages.ts'
import { explanationsOf } from '../executor/unexplained.ts'
import { compileUnanswered, isTooLarge, OperationResult } from '../operation/responding.ts'
import { type DeferredFragments, withPlannedLabels } from './deferred-fragments.ts'
import { Delivery, isThere } from './delivery.ts'
import { ErrorsByPlace } from './errors-by-place.ts'

export interface DeferredParts {
  fragments: DeferredFragments
  schema: GraphQLSchema
  rootType: GraphQLObjectType
  /** The whole operation, of which the response is made. */
  document: DocumentNode
  operation: OperationDefinitionNode
  /** The same without what its caller may not have. */
  left: { document: DocumentNode; operation: OperationDefinitionNode }
  hidden: ReadonlySet<FieldNode> | undefined
  plan(document: DocumentNode): QueryPlan['node'] | Promise<QueryPlan['node']>
  introspect: ((data: Json, variables: Json) => void) | undefined
  maxResponse: number
}

/** Runs an operation of which some is delivered later. */
export type RunDeferred = (run: PlanRun) => Promise<OperationResult>

/** Sets of deferred fragments of one operation that are kept planned: which they are follows from variables. */
const MAX_VARIANTS = 16

/** Sets that are kept planned at most. */
export const variantsOf = ({ conditions }: DeferredFragments): number =>
  Math.min(MAX_VARIANTS, 2 ** conditions)

/**
 * An operation with `@defer`, planned and compiled for each set of fragments that are delivered later.
 * @returns what finds that for the variables of a request; undefined for what is to be answered at once
 */
export function deferredOperation(
  parts: DeferredParts,
): (variables: Json) => Promise<RunDeferred | undefined> {
  const variants = new LRUCache<string, Promise<RunDeferred | undefined>>({ max: MAX_VARIANTS })
  return async (variables) => {
    const ids = parts.fragments.with(variables)
    if (ids.size === 0) return undefined
    const key = [...ids].join()
    // Clients get all at once where the planner fails, as the whole operation is planned already.
    const variant =
      variants.get(key) ??
      compileDeferred(parts, ids).catch((error) => {
        if (isCoded(error) && error.extensions.code === 'OVERLOADED') variants.delete(key)
        return undefined
      })
    variants.set(key, variant)
    return variant
  }
}

async function compileDeferred(
  {
    fragments,
    schema,
    rootType,
    document,
    operation,
    left,
    hidden,
    plan: planOf,
    introspect,
    maxResponse,
  }: DeferredParts,
  ids: ReadonlySet<string>,
): Promise<RunDeferred | undefined> {
  const plan = await planOf(withPlannedLabels(left.document, left.operation, ids))
  if (!plan || plan.kind === 'Subscription') return undefined
  const begin = compileBlocks(plan)
  const selection = Selection.of(schema, document, operation, ids)
  const shape = compileShape(schema, rootType, selection, hidden)
  const unanswered = compileUnanswered(selection.fieldsOf(rootType))
  return async (run) => {
    const begun = run.errors.length
    const blocks = begin(run)
    const all = blocks.map(({ ended }) => ended)
    void Promise.allSettled(all)
    await Promise.all(blocks.flatMap(({ label, ended }) => (label === undefined ? ended : [])))
    introspect?.(run.data, run.variables)
    if (run.errors.length === 0) unanswered(run)
    const pending: PendingPart[] = []
    const data = run.room < 0 ? null : shape(run, explanationsOf(run.errors, run.lost), pending)
    if (isTooLarge(run, data)) return OperationResult.tooLarge(maxResponse)
    run.room -= charactersIn(data)
    // Copied, as fetches that still run add to what was gathered.
    const first = copied(data) as Json | null
    const errors = new ErrorsByPlace()
    const ofFirst = errors.ofFirst(run.errors, first, begun)
    const there = pending.filter(({ path }) => isThere(first, path))
    if (there.length === 0) return new OperationResult(ofFirst, first, run.headers)
    try {
      const rest = new Delivery(run, fragments.labels, errors, maxResponse, blocks, there)
      return new OperationResult(ofFirst, first, run.headers, rest)
    } catch (error) {
      if (error instanceof FederationError) return new OperationResult([error], null)
      throw error
    }
  }
}
