import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from '../logger.ts'
import { type PubSub, Subscribers } from './pub-sub.ts'

const CHANNEL = 'assay'
const RECONNECT_DELAY_MS = 500

/** Fan-out over LISTEN/NOTIFY on one connection of its own, which reconnects by itself. */
export async function startPostgresPubSub(url: string, log: Logger): Promise<PubSub> {
  const subscribers = new Subscribers()
  let stopped = false
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'assay pub-sub',
      keepAlive: true,
    })
    next.on('notification', ({ payload = '' }) => {
      const [topic = '', message = ''] = payload.split(' ', 2)
      subscribers.deliver(topic, message)
    })
    next.once('error', (error) => log.warn({ err: error }, 'The pub/sub connection was lost'))
    next.once('end', () => void reconnect())
    await next.connect()
    await next.query(`listen ${CHANNEL}`)
    return next
  }

  async function reconnect(): Promise<void> {
    while (!stopped) {
      await delay(RECONNECT_DELAY_MS)
      try {
        if (!stopped) client = await connect()
        return subscribers.deliverGap()
      } catch {
        // The failed client ends without having connected: try again.
      }
    }
  }

  return {
    async publish(topic, message) {
      await client
        .query('select pg_notify($1, $2)', [CHANNEL, `${topic} ${message}`])
        .catch((error) => log.warn({ err: error, topic }, 'A pub/sub message was lost'))
    },
    subscribe: (topic, onMessage) => subscribers.add(topic, onMessage),
    async stop() {
      stopped = true
      await client.end().catch(() => {})
    },
  }
}
