import type { ExecutionResult } from 'graphql'
import type { Context } from '../../../platform/access/caller.ts'
import type { Json } from '../executor/own.ts'
import type { ExplainedPlan } from '../planning/explained-plan.ts'
import type { Place, Subscriber } from '../subscriptions/live-event.ts'
import type { PreparedSubscription } from '../subscriptions/subscription.ts'
import type { OperationKind } from './operation-rules.ts'
import type { OperationResult } from './responding.ts'

/** A stream of events, opened by its first subscriber. */
export interface EventStream {
  deliverTo(subscriber: Subscriber): Place
}

/** An operation that was parsed, checked, validated, planned and compiled, once for any number of runs. */
export interface PreparedOperation {
  kind: OperationKind
  /** Fields that are planned and compiled, those of a fragment wherever it is spread: what it takes of memory goes by them. */
  size: number
  /**
   * Runs a query or a mutation. Faults of the caller and of subgraphs stand in the result, which others may share.
   * @param isIncremental true for a client that takes what `@defer` allows to come later, in `rest` of the result
   * @throws FederationError OVERLOADED where too many queries run
   */
  run(variables: Json, context: Context, isIncremental?: boolean): Promise<OperationResult>
  /** True if some of it may come later. */
  isDeferred: boolean
  /** @returns the errors of what cannot be subscribed to */
  subscribe(variables: Json, context: Context): Promise<EventStream | ExecutionResult>
  /** The plan for a caller, or the errors of what the caller may not run. */
  explain(context: Context): Promise<ExplainedPlan | ExecutionResult>
  /** Subscription; undefined for operations that select no stream. */
  subscription: PreparedSubscription | undefined
}
