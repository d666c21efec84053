import { Kind, parse } from 'graphql'
import type { BridgeDeps } from '../rest-bridge/deps.ts'
import { createRestBridge, routes } from '../rest-bridge/index.ts'
import { createIngestion, takesIngestion } from '../rest-bridge/ingestion/ingestion.ts'
import { WaitingRoom } from '../rest-bridge/ingestion/waiting-room.ts'
import { ingestion } from '../rest-bridge/routes/events.ts'
import { requirePermission } from '../subgraphs/shared/access/require-permission.ts'
import { FIELD_RULES, type Rule } from '../subgraphs/shared/access/rules.ts'
import type { Caller } from '../subgraphs/shared/caller.ts'
import { callerKey } from '../subgraphs/shared/caller-key.ts'
import { networkOf } from '../subgraphs/shared/client-network.ts'
import type { Logger } from '../subgraphs/shared/logger.ts'
import type { Releasers } from '../subgraphs/shared/releasers.ts'
import type { FrontConfig } from './config.ts'
import { callerOf } from './serving/caller-of.ts'
import { createYamlBodies } from './serving/yaml-bodies.ts'
import { clientAddress, trusted } from './sign-in/client-address.ts'
import type { PreparedOperation } from './supergraph/operation.ts'
import type { Supergraph } from './supergraph/supergraph.ts'

/** The REST interfaces over a supergraph that has all of their operations. @throws AggregateError where one does not fit */
export async function bridgeOver(
  supergraph: Supergraph,
  { apiRootPath, corsOrigins, signIn, ingestion: limits }: FrontConfig,
  log: Logger,
  releasers: Releasers,
) {
  const yaml = createYamlBodies()
  releasers.defer(() => yaml.stop())
  const known = new Map<string, Pick<PreparedOperation, 'run'> & { rules: Rule[] }>()
  for (const { operation } of routes) {
    const made = await supergraph.prepare(operation)
    if (!('run' in made)) throw new AggregateError(made, `A REST route does not fit: ${operation}`)
    known.set(operation, { run: made.run, rules: rulesOf(operation) })
  }
  const the = (operation: string) => {
    const found = known.get(operation)
    if (!found) throw new Error(`No REST route has this operation: ${operation}`)
    return found
  }
  const isTrusted = trusted(signIn.proxyAddresses)
  const deps: BridgeDeps<Caller> = {
    corsOrigins,
    challenge: signIn.challenge,
    admit(operation, caller) {
      for (const rule of the(operation).rules) requirePermission(caller, rule)
    },
    execute: async (operation, variables, caller) => the(operation).run(variables, { caller }),
    callerOf,
    addressOf: (request) => networkOf(clientAddress(request, isTrusted)),
    callerKey,
    readYaml: yaml.read,
    onInternalError: (error, requestId) => log.error({ err: error, requestId }, 'A request failed'),
  }
  const room = new WaitingRoom(limits)
  const ingest = createIngestion(ingestion, limits, deps, room)
  const path = apiRootPath + ingestion.path
  return {
    bridge: createRestBridge(apiRootPath, deps, ingest),
    ingestion: { path, takes: takesIngestion(path), ingest, waiting: () => room.waiting },
  }
}

/** What it takes to use the root fields of an operation; of whatever is below them the subgraphs judge. */
function rulesOf(operation: string): Rule[] {
  return parse(operation).definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION) return []
    const type = definition.operation === 'mutation' ? 'Mutation' : 'Query'
    return definition.selectionSet.selections.map((field) => {
      const name = field.kind === Kind.FIELD ? `${type}.${field.name.value}` : ''
      const rule = FIELD_RULES[name]
      if (!rule) throw new Error(`There is no rule for ${name} of ${operation}`)
      return rule
    })
  })
}
