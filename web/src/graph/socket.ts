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

/** A connection whose ping is not answered before the next one would be sent is lost. */
const PING_MS = 10_000

let silence: ReturnType<typeof setTimeout> | undefined

/** One connection carries all subscriptions of the page. */
export const socket: Client = createClient({
  jsonMessageReviver: reviveExact,
  url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: (tries) => new Promise((done) => setTimeout(done, waitMs(tries))),
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
