/** Exports of federation for the gateway. Planning processes take `planning/index.ts` instead, which loads no executor. */

export type { Authorization } from './access/guarded-operation.ts'
export type { DeferredPart, Payload, Rest } from './defer/parts.ts'
export type { CacheHints } from './executor/cache-hints.ts'
export { copied, getOwn, isObject, type Json, setOwn } from './executor/own.ts'
export { Changes } from './executor/shared-runs.ts'
export type { JsonReader } from './json-reader.ts'
export { forwardedHeaders, type Introduction } from './links/introduction.ts'
export type {
  LinkOptions,
  PickedHeader,
  PlannedRequest,
  ResponseHeaders,
  SubgraphLink,
} from './links/link.ts'
export { conditionalStreams } from './operation/conditional-streams.ts'
export { hasMoreTokens, isTooNested, TOO_NESTED } from './operation/lexical-limits.ts'
export { type Measures, measure } from './operation/measures.ts'
export type { OperationObserver, OperationRules } from './operation/operation-rules.ts'
export type { EventStream, PreparedOperation } from './operation/prepared-operation.ts'
export type { OperationResult } from './operation/responding.ts'
export type { Planner } from './planning/planner.ts'
export type { LiveEvent, Place, Subscriber } from './subscriptions/live-event.ts'
export type { StreamLimits } from './subscriptions/live-stream.ts'
export { LiveStreams } from './subscriptions/live-streams.ts'
export type { CostTable, ListSize } from './supergraph/cost-table.ts'
export type { Plans, Prepared } from './supergraph/preparation.ts'
export type { NamedSubgraph } from './supergraph/subgraphs.ts'
export {
  loadSupergraph,
  type Supergraph,
  type SupergraphOptions,
} from './supergraph/supergraph.ts'
export {
  fileSource,
  openSupergraphFile,
  type SupergraphContent,
  type SupergraphSource,
  watchFiles,
} from './supergraph/supergraph-file.ts'

/** Loads what only links to other processes need. */
export const loadRemoteLink = async () => (await import('./links/remote-link.ts')).remoteLink
