import type { QueryPlan } from '@apollo/query-planner'
import type { DocumentNode, ExecutionResult } from 'graphql'
import type { Context } from '../../../platform/access/caller.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { PermittedOperation } from '../access/operation-access.ts'
import type { DeferredFragments } from '../defer/deferred-fragments.ts'
import type { CacheHints } from '../executor/cache-hints.ts'
import type { Json } from '../executor/own.ts'
import type { Changes, ContextKey } from '../executor/shared-runs.ts'
import type { JsonReader } from '../json-reader.ts'
import type { SubgraphLink } from '../links/link.ts'
import type { ExplainedPlan } from '../planning/explained-plan.ts'
import type { Place, Subscriber } from '../subscriptions/live-event.ts'
import type { LiveStreams } from '../subscriptions/live-streams.ts'
import type { PreparedSubscription, Responses } from '../subscriptions/subscription.ts'
import type { NamedOperation } from './named-operation.ts'
import type { OperationResult } from './operation-result.ts'
import type { OperationKind, OperationObserver, ValidOperation } from './operation-rules.ts'
import type { Sharing } from './shared-selection.ts'

/** A stream of events, opened by its first subscriber. */
export interface EventStream {
  deliverTo(subscriber: Subscriber): Place
}

/** An operation that was parsed, checked, validated, planned and compiled, once for any number of runs. */
export interface PreparedOperation {
  kind: OperationKind
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

/** Dependencies that the operations of a supergraph share. */
export interface OperationDeps {
  link(name: string): SubgraphLink
  changes: Changes
  streams: LiveStreams
  responses: Responses
  /** Without it, only requests of the same caller share a result. */
  sharing?: Sharing | undefined
  /** Default: no two contexts are alike. */
  contextKey?: ContextKey
  log: Logger
  json?: JsonReader
  observer?: OperationObserver
  /** Queries and mutations that run, and queries alone. */
  running?: { count: number; queries: number }
  /** Queries that may run at a time. */
  maxQueries?: number | undefined
  /** Characters of a response. */
  maxResponse?: number
  /** True if each query has fetches of its own, as responses are meant for one client: a cookie. */
  isUnshared?: boolean
  /** Without it, no cache keeps a response. */
  cacheHints?: CacheHints
}

export interface OperationParts extends ValidOperation, OperationDeps {
  named: NamedOperation
  /** Rest of the document for a caller who may not have all of it. */
  permitted?: PermittedOperation
  /** Absent where `@defer` is not used. */
  deferred?: DeferredFragments | undefined
  /** Plans the document; nothing where there is nothing to fetch. */
  plan(document: DocumentNode): QueryPlan['node'] | Promise<QueryPlan['node']>
}
