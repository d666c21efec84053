import type { Outbound } from '../../platform/outbound/outbound.ts'
import type { SecretsKeys } from '../../platform/secrets.ts'
import type { SubgraphDeps } from '../../platform/subgraph/subgraph.ts'
import type { EvaluationProcesses } from '../../runner/evaluation/evaluation.ts'

/** Dependencies of the subgraph and its worker. */
export interface TestExecutionDeps extends SubgraphDeps, SecretsKeys {
  /** Reaches the addresses that users name. */
  outbound: Outbound
  /** COMMAND_STEPS: whether scenarios may start programs. */
  commandSteps: boolean
  /** Runs what users can make take any time. */
  evaluation: EvaluationProcesses
}
