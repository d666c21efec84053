import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { LinkOptions, ResponseHeaders } from '../link.ts'
import type { Exchange } from './exchange.ts'
import { BadResponse, type ResponseHead, ResponseReader } from './response-reader.ts'

const CONNECT_TIMEOUT_MS = 2_000
/** Time that an idle connection is kept whose server does not name one. */
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

/** Owner of a connection. */
export interface ConnectionOwner {
  readonly url: URL
  readonly silenceMs: number
  /** Bytes of the body of a response. */
  readonly maxBody: number
  readonly tls: LinkOptions['tls']
  readonly isWanted: ResponseHeaders['isWanted'] | undefined
  /** Buffer of a read, until it ends; connections share it. */
  readonly buffer: Buffer
  /** Sends a request again, over another connection. */
  send(exchange: Exchange): void
  /** The connection takes another request. */
  freed(connection: Connection): void
  gone(connection: Connection): void
}

/** A connection that keeps to HTTP/1.1: a request goes out once the one before it is answered. */
export class Connection {
  readonly #owner: ConnectionOwner
  readonly #socket: Socket
  readonly #reader: ResponseReader
  #inFlight: Exchange | undefined
  #isConnected = false
  #isGone = false
  #isReading = false
  #isLast = false
  /** True if it was used before. */
  #isUsed = false
  #idleMs = IDLE_MS
  #idleSince = 0

  constructor(owner: ConnectionOwner) {
    this.#owner = owner
    this.#reader = new ResponseReader(
      {
        isWanted: owner.isWanted,
        onHead: (head) => this.#begin(head),
        onBody: (body) => this.#end(body),
      },
      owner.maxBody,
    )
    const socket = connectTo(owner.url, owner.tls, {
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

  /** True if the server closes it soon, as nothing was asked for a while. */
  get isStale(): boolean {
    return !this.#inFlight && performance.now() - this.#idleSince > this.#idleMs
  }

  take(exchange: Exchange): void {
    exchange.carrier = this
    this.#inFlight = exchange
    if (!this.#isConnected) return
    // It is sent once all that has come is read: nothing of that can be its response.
    if (this.#isReading) return
    if (exchange.isRepeatable) this.#flush()
    else setImmediate(() => this.#flush()) // by then, the end of an idle connection has been noticed
  }

  giveUp(): void {
    this.#lose(new Error('A request was given up'))
  }

  close(): void {
    this.#lose(new Error('The connection was closed'))
  }

  #flush(): void {
    const exchange = this.#inFlight
    if (this.#isGone || !exchange || exchange.wasSent) return
    exchange.wasSent = true
    this.#socket.write(exchange.request)
  }

  #read(length: number): void {
    if (this.#isGone) return
    this.#readFrom(() => {
      this.#reader.read(this.#owner.buffer.subarray(0, length))
      // Else it would become the beginning of the next response.
      if (!this.#reader.isBetween && !this.#inFlight?.wasSent) throw new UnexpectedResponse()
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

  #begin(head: ResponseHead): void {
    const { isLast, idleMs } = head
    const exchange = this.#inFlight
    if (!exchange?.wasSent) throw new UnexpectedResponse()
    if (idleMs !== undefined)
      this.#idleMs = Math.min(Math.max(0, idleMs - IDLE_MARGIN_MS), MAX_IDLE_MS)
    this.#isLast = isLast
    exchange.begin(head)
  }

  #end(body: string): void {
    this.#inFlight?.end(body)
    this.#inFlight = undefined
    this.#isUsed = true
    this.#idleSince = performance.now()
    if (this.#isLast) this.close()
    else this.#owner.freed(this)
  }

  /** A request that was not answered fails, unless it can be sent again over another connection. */
  #lose(error: Error): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#socket.destroy()
    this.#owner.gone(this)
    const exchange = this.#inFlight
    if (!exchange || exchange.isOver) return
    // The server closed an idle connection at that moment.
    const isByChance = this.#isUsed && this.#reader.isBetween && !(error instanceof Silence)
    const isSentAgain = exchange.isRepeatable && isByChance && !exchange.wasRepeated
    if (this.#isConnected && (!exchange.wasSent || isSentAgain)) {
      exchange.wasRepeated ||= exchange.wasSent
      exchange.wasSent = false
      this.#owner.send(exchange)
    } else exchange.fail(error)
  }
}

function connectTo(
  { protocol, hostname, port }: URL,
  tls: LinkOptions['tls'],
  onread: OnReadOpts,
): Socket {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (protocol !== 'https:') return connectTcp({ host, port: Number(port || 80), onread })
  const options = {
    host,
    port: Number(port || 443),
    ...tls,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
    onread,
  }
  return connectTls(options)
}
