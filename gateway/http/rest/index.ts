import { networkOf } from '../../../platform/access/client-network.ts'
import type { Releasers } from '../../../platform/process/releasers.ts'
import { routes } from '../../../rest-bridge/index.ts'
import type { FrontConfig } from '../../config.ts'
import type { Supergraph } from '../../federation/index.ts'
import type { Metrics } from '../../observability/metrics.ts'
import { createYamlBodies } from '../body/yaml.ts'
import { clientAddress, trusted } from '../http-message.ts'
import { explorerDestinations } from '../pages/pages.ts'
import type { Destination } from '../router.ts'
import { IngestionQueue } from './bulk.ts'
import { prepareRoutes } from './prepared-routes.ts'
import { restDestinations } from './rest.ts'
import type { FindReceiver } from './stored-receivers.ts'

export interface RestParts {
  /** It has all operations of the routes. */
  supergraph: Supergraph
  metrics: Metrics
  releasers: Releasers
  findReceiver: FindReceiver
}

/** The REST interfaces over a supergraph, and their explorer. */
export function createRest(
  { apiRootPath: root, signIn, ingestion: limits, receiverSecrets }: FrontConfig,
  { supergraph, metrics, releasers, findReceiver }: RestParts,
): Destination[] {
  const yaml = createYamlBodies()
  releasers.defer(() => yaml.stop())
  const isTrusted = trusted(signIn.proxyAddresses)
  const queue = new IngestionQueue(limits)
  metrics.watch(
    'assay_ingestion_waiting_events',
    'Events that were sent and are not stored yet.',
    () => queue.events.held,
  )
  metrics.watch(
    'assay_ingestion_waiting_bytes',
    'Bytes of the requests that bring them.',
    () => queue.bytes.held,
  )
  return [
    ...restDestinations({
      root,
      routes: prepareRoutes(routes, supergraph),
      limits,
      queue,
      networkOf: (request) => networkOf(clientAddress(request, isTrusted)),
      readYaml: yaml.read,
      receiverSecrets,
      findReceiver,
      countRefused: (receiver, items) => metrics.receiversRefused.inc({ receiver }, items),
    }),
    ...explorerDestinations(root),
  ]
}
