import type { GraphQLSchema } from 'graphql'
import type { Context } from '../../../platform/access/caller.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { ErrorList } from '../errors.ts'
import type { SubgraphLink } from '../links/link.ts'
import type { CacheHint } from './cache-hints.ts'
import type { Json } from './own.ts'
import type { Path } from './response-path.ts'
import type { Changes } from './shared-runs.ts'

/** One execution of a plan: what it reads, and the data and errors that its fetches gather. */
export interface PlanRun extends ErrorList {
  schema: GraphQLSchema
  data: Json
  /** Paths that responses with errors and no data were to bring. */
  lost: Path[]
  variables: Json
  /** The document as the client wrote it. */
  text: string
  context: Context
  link(name: string): SubgraphLink
  changes: Changes
  /** Called whenever a fetch has its answer. */
  onAnswer?: () => void
  log: Logger
  /** Strictest of what subgraphs allow caches; undefined where they are not asked. */
  hint?: CacheHint
  /** Headers of responses that clients get. */
  headers?: Map<string, string | string[]>
  /** Upper bound of the response's size: that of the responses of subgraphs, for each place that they may stand at. */
  characters: number
}

/** A compiled part of a plan. */
export type Task = (run: PlanRun) => Promise<void>
