import { routes } from '../../../rest-bridge/index.ts'
import { networkOf } from '../../../subgraphs/platform/access/client-network.ts'
import type { Releasers } from '../../../subgraphs/platform/process/releasers.ts'
import type { FrontConfig } from '../../config.ts'
import { callerKey, type Supergraph } from '../../federation/index.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { clientAddress, trusted } from '../../sign-in/client-address.ts'
import { createYamlBodies } from '../body/yaml.ts'
import type { Destination } from '../destination.ts'
import { explorerDestinations } from '../pages/pages.ts'
import { IngestionQueue } from './bulk.ts'
import { prepareRoutes } from './prepared-routes.ts'
import { restDestinations } from './rest.ts'

export interface RestParts {
  /** It has all operations of the routes. */
  supergraph: Supergraph
  metrics: Metrics
  releasers: Releasers
}

/** The REST interfaces over a supergraph, and their explorer. @throws AggregateError where a route does not fit */
export async function createRest(
  { apiRootPath: root, signIn, ingestion: limits }: FrontConfig,
  { supergraph, metrics, releasers }: RestParts,
): Promise<Destination[]> {
  const yaml = createYamlBodies()
  releasers.defer(() => yaml.stop())
  const isTrusted = trusted(signIn.proxyAddresses)
  const queue = new IngestionQueue(limits)
  metrics.watch(
    'assay_ingestion_waiting_events',
    'Events that were sent and are not stored yet.',
    () => queue.waiting.events,
  )
  metrics.watch(
    'assay_ingestion_waiting_bytes',
    'Bytes of the requests that bring them.',
    () => queue.waiting.bytes,
  )
  return [
    ...restDestinations({
      root,
      routes: await prepareRoutes(routes, supergraph),
      limits,
      queue,
      networkOf: (request) => networkOf(clientAddress(request, isTrusted)),
      callerKey,
      readYaml: yaml.read,
    }),
    ...explorerDestinations(root),
  ]
}
