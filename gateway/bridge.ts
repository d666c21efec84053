import { type BridgeDeps, createRestBridge, routes } from '../rest-bridge/index.ts'
import { createIngestion, isPlainIngestion } from '../rest-bridge/ingestion/ingestion.ts'
import { ingestion } from '../rest-bridge/routes/events.ts'
import type { Caller } from '../subgraphs/shared/caller.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import type { FrontConfig } from './config.ts'
import { callerOf } from './serving/caller-of.ts'
import type { Supergraph } from './supergraph/supergraph.ts'

/** The REST interfaces over a supergraph that has all of their operations. @throws AggregateError where one does not fit */
export function bridgeOver(
  supergraph: Supergraph,
  { apiRootPath, corsOrigins, ingestion: limits }: FrontConfig,
  log: Logger,
) {
  const prepared = new Map(
    routes.map(({ operation }) => {
      const made = supergraph.prepare(operation)
      if (!('run' in made))
        throw new AggregateError(made, `A REST route does not fit: ${operation}`)
      return [operation, made]
    }),
  )
  const deps: BridgeDeps<Caller> = {
    corsOrigins,
    async execute(operation, variables, caller) {
      const made = prepared.get(operation)
      if (!made) throw new Error(`No REST route has this operation: ${operation}`)
      return made.run(variables, { caller })
    },
    callerOf,
    onInternalError: (error, requestId) => log.error({ err: error, requestId }, 'A request failed'),
  }
  const ingest = createIngestion(ingestion, limits, deps)
  return {
    bridge: createRestBridge(apiRootPath, deps, ingest),
    ingestion: { takes: isPlainIngestion(apiRootPath), ingest },
  }
}
