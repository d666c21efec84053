import { networkOf } from '../../../platform/access/client-network.ts'
import type { Logger } from '../../../platform/process/logger.ts'
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
import { prepareAll, prepareRoutes } from './prepared-routes.ts'
import { restDestinations } from './rest.ts'

export interface RestParts {
  /** It has all operations of the routes. */
  supergraph: Supergraph
  metrics: Metrics
  releasers: Releasers
  log: Logger
}

/** Operations are not prepared while everything else starts: all of them take a fifth of a start. */
const PREPARE_AFTER_MS = 200

/** The REST interfaces over a supergraph, and their explorer. */
export function createRest(
  { apiRootPath: root, signIn, ingestion: limits }: FrontConfig,
  { supergraph, metrics, releasers, log }: RestParts,
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
  const prepared = prepareRoutes(routes, supergraph)
  const stopping = new AbortController()
  const prepare = setTimeout(() => {
    const unfit = (err: unknown) => log.error({ err }, 'REST route not prepared')
    prepareAll(prepared, stopping.signal).catch(unfit)
  }, PREPARE_AFTER_MS)
  releasers.defer(() => {
    clearTimeout(prepare)
    stopping.abort()
  })
  return [
    ...restDestinations({
      root,
      routes: prepared,
      limits,
      queue,
      networkOf: (request) => networkOf(clientAddress(request, isTrusted)),
      readYaml: yaml.read,
    }),
    ...explorerDestinations(root),
  ]
}
