import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Exchange } from './exchange.ts'
import { BadResponse, type ResponseHead, ResponseReader } from './response-reader.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** How long a connection is kept idle whose server does not say how long it keeps it. */
const IDLE_MS = 4_000
/** It may be closed while a request is under way to it. */
const IDLE_MARGIN_MS = 1_000
/** However long its server would keep it. */
const MAX_IDLE_MS = 600_000

/** The server said nothing for too long. */
export class Silence extends Error {
  override name = 'Silence'
}

/** A response without a request must not be taken for the response to the next one. */
class UnexpectedResponse extends BadResponse {
  override message = 'A response came without a request'
}

/** What a connection belongs to. */
export interface ConnectionOwner {
  readonly url: URL
  /** Number of requests that one connection may wait for. */
  readonly pipelining: number
  readonly silenceMs: number
  /** What was read, until the read ends; connections share it. */
  readonly buffer: Buffer
  /** Sends a request again, over another connection. */
  send(exchange: Exchange): void
  /** The connection takes another request. */
  freed(connection: Connection): void
  gone(connection: Connection): void
}

/** A connection that keeps to HTTP/1.1: requests go out, and their responses come in the same order. */
export class Connection {
  readonly #owner: ConnectionOwner
  readonly #socket: Socket
  readonly #reader: ResponseReader
  /** The first one is being answered. */
  readonly #inFlight: Exchange[] = []
  readonly #unsent: Exchange[] = []
  #isConnected = false
  #isGone = false
  #isReading = false
  #isLast = false
  /** Whether it was used before. */
  #isUsed = false
  #idleMs = IDLE_MS
  #idleSince = 0

  constructor(owner: ConnectionOwner) {
    this.#owner = owner
    this.#reader = new ResponseReader({
      onHead: (head) => this.#begin(head),
      onBody: (body) => this.#end(body),
    })
    const socket = connectTo(owner.url, {
      buffer: owner.buffer,
      callback: (length: number) => {
        this.#read(length)
        return true
      },
    })
    const giveUp = setTimeout(
      () => this.#lose(new Error(`No connection within ${CONNECT_TIMEOUT_MS} ms`)),
      CONNECT_TIMEOUT_MS,
    )
    socket.setNoDelay(true)
    socket.once(owner.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      clearTimeout(giveUp)
      this.#isConnected = true
      // Once it has passed, it is not set again: an idle connection ends with it, too.
      socket.setTimeout(owner.silenceMs, () =>
        this.#lose(new Silence(`Nothing came for ${owner.silenceMs} ms`)),
      )
      this.#flush()
    })
    const ended = () => {
      if (!this.#isGone) this.#readFrom(() => this.#reader.end())
      this.close()
    }
    socket.on('error', (error) => this.#lose(error))
    socket.once('end', ended)
    socket.once('close', () => {
      clearTimeout(giveUp)
      ended()
    })
    this.#socket = socket
  }

  get inFlight(): number {
    return this.#inFlight.length
  }

  /** Whether the server closes it soon, as nothing was asked for a while. */
  get isStale(): boolean {
    return this.inFlight === 0 && performance.now() - this.#idleSince > this.#idleMs
  }

  take(exchange: Exchange): void {
    exchange.carrier = this
    this.#inFlight.push(exchange)
    this.#unsent.push(exchange)
    if (!this.#isConnected) return
    // It is sent once all that has come is read: nothing of that can be its response.
    if (this.#isReading) return
    // By then requests of this turn go out together, and the end of an idle connection has been noticed.
    const waits = this.#owner.pipelining > 1 || !exchange.isRepeatable
    if (!waits) this.#flush()
    else if (this.#unsent.length === 1) setImmediate(() => this.#flush())
  }

  /** The answer to another one than the first is read and thrown away. */
  giveUp(): void {
    if (this.#inFlight[0]?.isOver) this.#lose(new Error('A request was given up'))
  }

  close(): void {
    this.#lose(new Error('The connection was closed'))
  }

  #flush(): void {
    if (this.#isGone || this.#unsent.length === 0) return
    const unsent = this.#unsent.splice(0)
    if (unsent.length > 1) this.#socket.cork()
    for (const exchange of unsent) {
      exchange.wasSent = true
      this.#socket.write(exchange.request)
    }
    if (unsent.length > 1) this.#socket.uncork()
  }

  #read(length: number): void {
    if (this.#isGone) return
    this.#readFrom(() => {
      this.#reader.read(this.#owner.buffer.subarray(0, length))
      // Else it would become the beginning of the next response.
      if (!this.#reader.isBetween && !this.#inFlight[0]?.wasSent) throw new UnexpectedResponse()
    })
    this.#flush()
  }

  #readFrom(read: () => void): void {
    this.#isReading = true
    try {
      read()
    } catch (error) {
      this.#lose(error as Error)
    }
    this.#isReading = false
  }

  #begin({ status, retryAfter, isLast, idleMs }: ResponseHead): void {
    const [exchange] = this.#inFlight
    if (!exchange?.wasSent) throw new UnexpectedResponse()
    if (idleMs !== undefined)
      this.#idleMs = Math.min(Math.max(0, idleMs - IDLE_MARGIN_MS), MAX_IDLE_MS)
    this.#isLast = isLast
    exchange.begin(status, retryAfter)
  }

  #end(body: string): void {
    this.#inFlight.shift()?.end(body)
    this.#isUsed = true
    this.#idleSince = performance.now()
    if (this.#isLast) this.close()
    else this.#owner.freed(this)
  }

  /** What was not answered fails, unless it can be sent again over another connection. */
  #lose(error: Error): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#socket.destroy()
    const lost = this.#inFlight.splice(0)
    const isUntouched = this.#isUsed && this.#reader.isBetween && !(error instanceof Silence)
    const isAnnounced = isUntouched && this.#isLast
    const isReached = this.#isConnected || lost[0]?.isOver
    this.#owner.gone(this)
    for (const [index, exchange] of lost.entries()) {
      if (exchange.isOver) continue
      // Only the first one can have been the reason, unless the server closed an idle connection at that moment.
      const isByChance = index > 0 || isAnnounced || (isUntouched && !exchange.wasRepeated)
      const isSentAgain = !exchange.wasSent || (exchange.isRepeatable && isByChance)
      if (isReached && isSentAgain) {
        exchange.wasRepeated ||= index === 0 && exchange.wasSent && !isAnnounced
        exchange.wasSent = false
        this.#owner.send(exchange)
      } else exchange.fail(error)
    }
  }
}

function connectTo({ protocol, hostname, port }: URL, onread: OnReadOpts): Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (protocol !== 'https:') return connectTcp({ host, port: Number(port || 80), onread })
  const options = {
    host,
    port: Number(port || 443),
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
    onread,
  }
  return connectTls(options)
}
