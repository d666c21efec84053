import type { Logger } from '../subgraphs/platform/process/logger.ts'
import {
  executable,
  type OperationCounts,
  type ServedSchema,
} from '../subgraphs/platform/subgraph/executable.ts'
import type { SubgraphLink } from './federation/index.ts'

/** Runs the subgraph's schema in this process. */
export const localLink = (
  name: string,
  subgraph: ServedSchema,
  log: Logger,
  counts?: OperationCounts,
): SubgraphLink => ({
  name,
  isOwn: true,
  ...executable(subgraph, log.child({ name }), name, counts),
  async stop() {},
})
