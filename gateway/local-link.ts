import type { Logger } from '../platform/process/logger.ts'
import {
  type ExecutableOptions,
  executable,
  type ServedSchema,
} from '../platform/subgraph/executable.ts'
import type { SubgraphLink } from './federation/index.ts'

/** Runs the subgraph's schema in this process. */
export const localLink = (
  name: string,
  subgraph: ServedSchema,
  log: Logger,
  options: Omit<ExecutableOptions, 'name'> = {},
): SubgraphLink => {
  const { execute, subscribe } = executable(subgraph, log.child({ name }), { name, ...options })
  return { name, isOwn: true, execute, subscribe, async stop() {} }
}
