import type { GraphQLSchema } from 'graphql'
import type { Jobs } from '../jobs/jobs.ts'
import type { ProcessMetrics } from '../metrics/process-metrics.ts'
import type { Logger } from '../process/logger.ts'
import type { PubSub } from '../pub-sub/pub-sub.ts'

/** Parts from which every subgraph is built. It knows no port, no address of another subgraph and no gateway. */
export interface SubgraphDeps {
  databaseUrl: string
  /** Address of the database itself, where the other leads to a pooler. */
  directUrl?: string | undefined
  /** A replica of the database, for lists. */
  readUrl?: string | undefined
  /** Connections of each pool of a subgraph. */
  poolSize?: number | undefined
  jobs: Jobs
  pubSub: PubSub
  log: Logger
  /** Metrics of the process; without them nothing is counted. */
  metrics?: ProcessMetrics | undefined
}

/** A running subgraph: its schema executes with a `Context`; `stop` closes what it opened. */
export interface Subgraph {
  schema: GraphQLSchema
  /** Its custom scalars take ExactNumber; without it, numbers reach it as doubles. */
  takesExactNumbers?: true
  /** Added to `/healthz`. */
  facts?(): object
  stop(): Promise<void>
}
