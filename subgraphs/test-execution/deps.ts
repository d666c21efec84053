import type { Outbound } from '../shared/outbound/outbound.ts'
import type { SecretsKeys } from '../shared/secrets.ts'
import type { SubgraphDeps } from '../shared/subgraph.ts'
import type { EvaluationProcesses } from './runners/evaluation/evaluation.ts'

/** What the subgraph and its worker are built from. */
export interface TestExecutionDeps extends SubgraphDeps, SecretsKeys {
  /** Reaches the addresses that users name. */
  outbound: Outbound
  /** COMMAND_STEPS: whether scenarios may start programs. */
  commandSteps: boolean
  /** Runs what users can make take any time. */
  evaluation: EvaluationProcesses
}
