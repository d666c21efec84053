import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { clientOf, named, serversOf } from '../database/database-servers.ts'
import type { Logger } from '../process/logger.ts'
import { type PubSub, Subscribers } from './pub-sub.ts'

const CHANNEL = 'assay'
const RECONNECT_DELAY_MS = 500

/** Fan-out over LISTEN/NOTIFY: one connection listens and reconnects by itself, another one notifies. */
export async function startPostgresPubSub(url: string, log: Logger): Promise<PubSub> {
  const pubSub = new PostgresPubSub(url, log)
  await pubSub.start()
  return pubSub
}

class PostgresPubSub implements PubSub {
  readonly #subscribers = new Subscribers()
  readonly #Client: typeof pg.Client
  readonly #settings: pg.ClientConfig
  readonly #notifier: pg.Pool
  #listener: pg.Client | undefined
  readonly #waiting: string[] = []
  #sending: Promise<void> | null = null
  #isStopped = false

  constructor(
    url: string,
    private readonly log: Logger,
  ) {
    this.#Client = clientOf(url)
    const [connectionString] = serversOf(named(url, 'pub-sub'))
    this.#settings = { connectionString }
    this.#notifier = new pg.Pool({ ...this.#settings, Client: this.#Client, max: 1 })
    // An idle connection that breaks reports it here; the next message opens another one.
    this.#notifier.on('error', () => {})
  }

  async start(): Promise<void> {
    this.#listener = await this.#connect()
  }

  publish(topic: string, message: string): Promise<void> {
    this.#waiting.push(`${topic} ${message}`)
    this.#sending ??= this.#send()
    return this.#sending
  }

  subscribe(...subscription: Parameters<PubSub['subscribe']>): ReturnType<PubSub['subscribe']> {
    return this.#subscribers.add(...subscription)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.allSettled([this.#listener?.end(), this.#notifier.end()])
  }

  async #connect(): Promise<pg.Client> {
    const next = new this.#Client({ ...this.#settings, keepAlive: true })
    next.on('notification', ({ payload = '' }) => {
      const space = payload.indexOf(' ')
      this.#subscribers.deliver(payload.slice(0, space), payload.slice(space + 1))
    })
    // A connection that breaks may report it more than once; an unheard report would end the process.
    next.on('error', (error) =>
      this.log.warn({ reason: error.message }, 'The pub/sub connection was lost'),
    )
    try {
      await next.connect()
      await next.query(`listen ${CHANNEL}`)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    next.once('end', () => void this.#reconnect())
    return next
  }

  async #reconnect(): Promise<void> {
    for (let attempt = 1; !this.#isStopped; attempt++) {
      await delay(RECONNECT_DELAY_MS)
      if (this.#isStopped) return
      try {
        this.#listener = await this.#connect()
      } catch (error) {
        const reason = reasonOf(error)
        if (attempt === 1) this.log.warn({ reason }, 'The pub/sub connection is away')
        continue
      }
      if (this.#isStopped) return void this.#listener.end().catch(() => {})
      this.log.info('The pub/sub connection is back')
      return this.#subscribers.deliverGap()
    }
  }

  /** Sends messages that were published while a statement ran together in the next one. */
  async #send(): Promise<void> {
    const waiting = this.#waiting
    for (let messages = waiting.splice(0); messages.length > 0; messages = waiting.splice(0))
      await this.#notifier
        .query('select pg_notify($1, message) from unnest($2::text[]) as message', [
          CHANNEL,
          messages,
        ])
        .catch((error) =>
          this.log.warn(
            { reason: reasonOf(error), messages: messages.length },
            'Pub/sub messages were lost',
          ),
        )
    this.#sending = null
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
