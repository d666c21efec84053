import type { Logger } from '../process/logger.ts'
import { startPostgresPubSub } from './postgres.ts'
import type { PubSub } from './pub-sub.ts'

/** NATS where an address of it is given (NATS_URL), else the database that all processes share. */
export const startPubSub = async (
  { natsUrl, directUrl }: { natsUrl: string | undefined; directUrl: string },
  log: Logger,
): Promise<PubSub> =>
  natsUrl
    ? (await import('./nats.ts')).startNatsPubSub(natsUrl, log)
    : startPostgresPubSub(directUrl, log)
