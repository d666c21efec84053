import type { Outbound } from '../shared/outbound/outbound.ts'
import type { SubgraphDeps } from '../shared/subgraph.ts'
import type { EvaluationThreads } from './runners/evaluation/evaluation.ts'

/** What the subgraph and its worker are built from. */
export interface TestExecutionDeps extends SubgraphDeps {
  /** 32 bytes in Base64; seals host credentials. */
  secretsKey: string
  /** Reaches the addresses that users name. */
  outbound: Outbound
  /** Runs what users can make take any time. */
  evaluation: EvaluationThreads
}
