import { setTimeout as delay } from 'node:timers/promises'
import {
  connect,
  errors,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node'
import type { Logger } from '../process/logger.ts'
import { type PubSub, Subscribers } from './pub-sub.ts'

const PREFIX = 'assay.'
const RECONNECT_DELAY_MS = 500
/** Interval at which a start that waits for the server reports it. */
const REPORT_WAITING_MS = 10_000
/** Faults of a server that is away. Others, such as a wrong password, stay until an operator acts. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'ENOTFOUND',
])
/** A server that answers nothing for two such intervals is taken for lost. */
const PING_INTERVAL_MS = 10_000
/** Time for messages that were published just before a stop to leave. */
const FLUSH_MS = 1_000

/**
 * Fan-out over NATS, for more processes than one database should notify. One subscription brings every topic.
 * @param url nats://user:password@host:4222; tls:// for an encrypted connection
 * A start waits for a server that is away.
 * @throws Error when the server refuses the connection
 */
export async function startNatsPubSub(url: string, log: Logger): Promise<PubSub> {
  const subscribers = new Subscribers()
  const connection = await connectOnceUp(url, log)
  connection.subscribe(`${PREFIX}>`, {
    callback(error, message) {
      if (error) log.warn({ err: error }, 'The pub/sub subscription reports an error')
      else subscribers.deliver(message.subject.slice(PREFIX.length), message.string())
    },
  })
  await connection.flush()
  let connected = true
  void follow()

  async function follow(): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        connected = false
        log.warn({ server: status.server }, 'The pub/sub connection was lost')
      }
      if (status.type === 'reconnect') {
        connected = true
        // Only from here on is the server known to have the subscription; a failure leads to the next reconnect.
        void connection.flush().then(
          () => subscribers.deliverGap(),
          () => {},
        )
      }
    }
  }

  return {
    async publish(topic, message) {
      try {
        // The client would keep it in memory, without a limit, until the server is back.
        if (connected) connection.publish(PREFIX + topic, message)
      } catch (error) {
        log.warn({ err: error, topic }, 'A pub/sub message was lost')
      }
    },
    subscribe: (topic, onMessage) => subscribers.add(topic, onMessage),
    async stop() {
      if (connected && !connection.isClosed())
        await Promise.race([connection.flush(), delay(FLUSH_MS, undefined, { ref: false })]).catch(
          () => {},
        )
      await connection.close()
    },
  }
}

async function connectOnceUp(url: string, log: Logger): Promise<NatsConnection> {
  const { host } = new URL(url)
  let reportAt = 0
  for (;;) {
    try {
      return await connect(optionsOf(url))
    } catch (cause) {
      if (!isAway(cause))
        throw new Error(`NATS at ${host} cannot be used: ${messageOf(cause)}`, { cause })
      if (performance.now() >= reportAt) {
        log.warn({ server: host, reason: messageOf(cause) }, 'The start waits for NATS')
        reportAt = performance.now() + REPORT_WAITING_MS
      }
      await delay(RECONNECT_DELAY_MS)
    }
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

function isAway(error: unknown): boolean {
  if (error instanceof errors.TimeoutError) return true
  const { code } = ((error instanceof Error ? error.cause : undefined) as { code?: string }) ?? {}
  return AWAY.has(code ?? '')
}

function optionsOf(url: string): NodeConnectionOptions {
  const { protocol, host, username, password } = new URL(url)
  return {
    name: 'assay pub-sub',
    servers: host,
    ...credentialsOf(decodeURIComponent(username), decodeURIComponent(password)),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_DELAY_MS,
    pingInterval: PING_INTERVAL_MS,
  }
}

/** Clients of NATS take a user without a password for a token. */
function credentialsOf(user: string, pass: string): Partial<NodeConnectionOptions> {
  if (pass) return { user, pass }
  return user ? { token: user } : {}
}
