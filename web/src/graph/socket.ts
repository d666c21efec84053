import { type Client, createClient } from 'graphql-ws'
import { createStore } from '../ui/store.ts'
import { reviveExact } from './exact.ts'

/** State of updates: not asked for yet, arriving, or on the way back. */
export type Connection = 'idle' | 'live' | 'lost'

const connection = createStore<Connection>('idle')

const RETRY_MS = { first: 500, most: 10_000 }

/** Time to wait before another try: longer each time, and not the same for all pages. */
export const waitMs = (tries: number): number =>
  Math.min(RETRY_MS.first * 2 ** Math.min(tries, 10), RETRY_MS.most) * (0.5 + Math.random() / 2)

/** The code of a close that was meant (RFC 6455, section 7.4.1). */
const NORMAL = 1_000

/** A connection that is not open or acknowledged, or whose ping is not answered, within this time is lost. */
const PING_MS = 10_000

/** A network that is lost lets a browser try for minutes. */
class PromptSocket extends WebSocket {
  constructor(...args: ConstructorParameters<typeof WebSocket>) {
    super(...args)
    const giveUp = setTimeout(() => this.close(), PING_MS)
    this.addEventListener('open', () => clearTimeout(giveUp))
  }
}

let silence: ReturnType<typeof setTimeout> | undefined

/** One connection carries all subscriptions of the page. */
export const socket: Client = createClient({
  webSocketImpl: PromptSocket,
  jsonMessageReviver: reviveExact,
  url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: (tries) => new Promise((done) => setTimeout(done, waitMs(tries))),
  connectionAckWaitTimeout: PING_MS,
  keepAlive: PING_MS,
  // The next page uses the same connection.
  lazyCloseTimeout: 3_000,
  on: {
    ping: (isReceived) => {
      if (!isReceived) silence = setTimeout(() => socket.terminate(), PING_MS)
    },
    pong: () => clearTimeout(silence),
    connected: () => connection.set('live'),
    // Nothing is watched any more, or the connection broke.
    closed: (event) => {
      clearTimeout(silence)
      connection.set(isNormal(event) ? 'idle' : 'lost')
    },
  },
})

const isNormal = (event: unknown) => event instanceof CloseEvent && event.code === NORMAL

export const useConnection = connection.use
