import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { clientOf, named, serversOf } from '../database/database-servers.ts'
import type { Logger } from '../process/logger.ts'

import { type PubSub, Subscribers } from './pub-sub.ts'

const CHANNEL = 'assay'
const RECONNECT_DELAY_MS = 500

/** Fan-out over LISTEN/NOTIFY: one connection listens and reconnects by itself, another one notifies. */
export async function startPostgresPubSub(url: string, log: Logger): Promise<PubSub> {
  const subscribers = new Subscribers()
  let stopped = false
  const Client = clientOf(url)
  const [connectionString] = serversOf(named(url, 'pub-sub'))
  const settings = { connectionString }
  const teller = new pg.Pool({ ...settings, Client, max: 1 })
  // An idle connection that breaks reports it here; the next message opens another one.
  teller.on('error', () => {})
  const waiting: string[] = []
  let sending: Promise<void> | null = null
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const next = new Client({ ...settings, keepAlive: true })
    next.on('notification', ({ payload = '' }) => {
      const space = payload.indexOf(' ')
      subscribers.deliver(payload.slice(0, space), payload.slice(space + 1))
    })
    // A connection that breaks may report it more than once; an unheard report would end the process.
    next.on('error', (error) =>
      log.warn({ reason: error.message }, 'The pub/sub connection was lost'),
    )
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    next.once('end', () => void reconnect())
    return next
  }

  async function reconnect(): Promise<void> {
    for (let attempt = 1; !stopped; attempt++) {
      await delay(RECONNECT_DELAY_MS)
      if (stopped) return
      try {
        client = await connect()
      } catch (error) {
        if (attempt === 1) log.warn({ reason: reasonOf(error) }, 'The pub/sub connection is away')
        continue
      }
      if (stopped) return void client.end().catch(() => {})
      log.info('The pub/sub connection is back')
      return subscribers.deliverGap()
    }
  }

  /** Sends messages that were published while a statement ran together in the next one. */
  async function send(): Promise<void> {
    for (let messages = waiting.splice(0); messages.length > 0; messages = waiting.splice(0))
      await teller
        .query('select pg_notify($1, message) from unnest($2::text[]) as message', [
          CHANNEL,
          messages,
        ])
        .catch((error) =>
          log.warn(
            { reason: reasonOf(error), messages: messages.length },
            'Pub/sub messages were lost',
          ),
        )
    sending = null
  }

  return {
    publish(topic, message) {
      waiting.push(`${topic} ${message}`)
      sending ??= send()
      return sending
    },
    subscribe: (topic, onMessage) => subscribers.add(topic, onMessage),
    async stop() {
      stopped = true
      await Promise.allSettled([client.end(), teller.end()])
    },
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
