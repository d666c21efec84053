import { type Client, createClient } from 'graphql-ws'
import WebSocket from 'ws'
import type { Context } from '../../../platform/access/caller.ts'
import type { JsonReader } from '../json-reader.ts'
import type { Introduction } from './introduction.ts'
import type { PlannedRequest } from './link.ts'

export interface SubgraphSocketsOptions {
  url: string
  introduction: Introduction
  /** Time for a subgraph to open one, and to answer a ping on it. */
  silenceMs: number
  /** Characters of a message, of up to three bytes each. */
  maxBody: number
  json: Pick<JsonReader, 'revive'>
}

interface Opened {
  client: Client
  opened: Promise<void>
}

/**
 * The WebSockets to one subgraph: one for all callers, or one for each of them. Each carries all operations of its
 * callers, opens with the first and closes with the last.
 */
export class SubgraphSockets {
  readonly #clients = new Map<string, Opened>()

  constructor(private readonly options: SubgraphSocketsOptions) {}

  /** Resolves once its socket is open. */
  async subscribe({ document, variables }: PlannedRequest, context: Context) {
    const { of, socketPerCaller } = this.options.introduction
    const introduction = await of(context)
    const { client, opened } = this.#clientFor(socketPerCaller ? introduction : {})
    const results = client.iterate({
      query: document,
      variables,
      ...(socketPerCaller ? {} : { extensions: introduction }),
    })
    await opened
    return results
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#clients.values()].map(({ client }) => client.dispose()))
  }

  #clientFor(headers: Record<string, string>): Opened {
    const key = JSON.stringify(headers)
    const known = this.#clients.get(key)
    if (known) return known
    const { url, silenceMs, maxBody, json } = this.options
    class Socket extends SubgraphSocket {
      constructor(address: string, protocols: string) {
        super(address, protocols, { headers, handshakeTimeout: silenceMs, maxPayload: 3 * maxBody })
      }
    }
    const watch = endWhenSilent(silenceMs, () => client.terminate())
    const { promise: opened, resolve, reject } = Promise.withResolvers<void>()
    opened.catch(() => {}) // each caller has it
    const client: Client = createClient({
      url: url.replace(/^http/, 'ws'),
      webSocketImpl: Socket,
      lazy: true,
      retryAttempts: 0,
      connectionAckWaitTimeout: silenceMs,
      keepAlive: silenceMs / 2,
      ...(json.revive && { jsonMessageReviver: json.revive }),
      // Many servers look for credentials here, not in the request that opens the socket.
      connectionParams: headers,
      on: {
        ...watch,
        connected: () => resolve(),
        closed: (event) => {
          watch.closed()
          reject(event)
          if (this.#clients.get(key)?.client === client) this.#clients.delete(key)
        },
      },
    })
    const made = { client, opened }
    this.#clients.set(key, made)
    return made
  }
}

class SubgraphSocket extends WebSocket {
  /** Why it closes without a code of the server. */
  fault: Error | undefined

  constructor(...args: ConstructorParameters<typeof WebSocket>) {
    super(...args)
    this.once('error', (error) => {
      this.fault = error
    })
  }
}

/** Why a stream ended. @param thrown by the client: an error, or the event that closed the socket */
export function socketFault(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown
  const { target, code, reason } = thrown as WebSocket.CloseEvent // as graphql-ws rejects
  const fault = target instanceof SubgraphSocket ? target.fault : undefined
  return fault ?? new Error(`The WebSocket was closed with ${code} ${reason}`.trim())
}

/** Pings are answered by every subgraph that lives, so an unanswered one ends the socket and with it what runs on it. */
function endWhenSilent(silenceMs: number, end: () => void) {
  let waiting: NodeJS.Timeout | undefined
  return {
    ping(received: boolean) {
      if (!received) waiting = setTimeout(end, silenceMs / 2)
    },
    pong: () => clearTimeout(waiting),
    closed: () => clearTimeout(waiting),
  }
}
