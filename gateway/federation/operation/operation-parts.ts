import type { QueryPlan } from '@apollo/query-planner'
import type { DocumentNode } from 'graphql'
import type { Logger } from '../../../platform/process/logger.ts'
import type { PermittedOperation } from '../access/operation-access.ts'
import type { DeferredFragments } from '../defer/deferred-fragments.ts'
import type { CacheHints } from '../executor/cache-hints.ts'
import type { Changes, ContextKey } from '../executor/shared-runs.ts'
import type { JsonReader } from '../json-reader.ts'
import type { SubgraphLink } from '../links/link.ts'
import type { LiveStreams } from '../subscriptions/live-streams.ts'
import type { Responses } from '../subscriptions/subscription.ts'
import type { NamedOperation } from './named-operation.ts'
import type { OperationObserver, ValidOperation } from './operation-rules.ts'
import type { Sharing } from './shared-selection.ts'

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
