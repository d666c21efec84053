import { Connection, type ConnectionOwner } from './connection.ts'
import { Exchange } from './exchange.ts'

export interface ConnectionsOptions extends Partial<Pick<ConnectionOwner, 'tls' | 'isWanted'>> {
  /** Address to which requests are posted. */
  url: URL
  /** Number of connections at a time. */
  most: number
  /** Time for which the server may stay silent on a request. */
  silenceMs: number
  /** Bytes of the body of a response. */
  maxBody: number
}

/** Interval of the search for stale connections. */
const LOOK_EVERY_MS = 1_000
const BUFFER_BYTES = 65_536

/**
 * The connections to one server, for as many requests at a time as they take; more wait for one that is free. With
 * undici's Pool in its place the gateway takes 1.53 and 1.32 times the processor time for 5 and 50 entities, 1.46 times on
 * the public workload (docs/adr/0084).
 */
export class Connections implements ConnectionOwner {
  readonly url: URL
  readonly silenceMs: number
  readonly maxBody: number
  readonly tls: ConnectionOwner['tls']
  readonly isWanted: ConnectionOwner['isWanted']
  readonly buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  readonly #most: number
  readonly #begin: string
  readonly #all = new Set<Connection>()
  /** The last one was used last. */
  readonly #idle: Connection[] = []
  readonly #waiting: Exchange[] = []
  readonly #look: NodeJS.Timeout
  #isStopped = false

  constructor({ url, most, silenceMs, maxBody, tls, isWanted }: ConnectionsOptions) {
    this.url = url
    this.silenceMs = silenceMs
    this.maxBody = maxBody
    this.tls = tls
    this.isWanted = isWanted
    this.#most = most
    this.#begin = `POST ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\n`
    this.#look = setInterval(() => this.#closeStale(), LOOK_EVERY_MS).unref()
  }

  /** A request that is still to be sent. @throws TypeError for a header that HTTP does not allow */
  exchangeOf(
    headers: Record<string, string>,
    body: string,
    { isRepeatable = false } = {},
  ): Exchange {
    let head = this.#begin
    for (const name of Object.keys(headers)) {
      const value = headers[name] ?? ''
      if (!HEADER_NAME.test(name) || !HEADER_VALUE.test(value))
        throw new TypeError(`The header ${JSON.stringify(name)} is not allowed in HTTP`)
      head += `${name}: ${value}\r\n`
    }
    head += `content-length: ${Buffer.byteLength(body)}\r\n\r\n`
    const request = IS_ASCII.test(head)
      ? head + body
      : Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)])
    return new Exchange({ request, isRepeatable })
  }

  send(exchange: Exchange): void {
    const connection = this.#isStopped ? undefined : this.#free()
    if (connection) connection.take(exchange)
    else if (this.#isStopped) exchange.fail(new Error('The gateway stops'))
    else {
      exchange.carrier = undefined
      this.#waiting.push(exchange)
    }
  }

  freed(connection: Connection): void {
    const next = this.#next()
    if (next) connection.take(next)
    else this.#idle.push(connection)
  }

  gone(connection: Connection): void {
    this.#all.delete(connection)
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    for (let next = this.#next(); next; next = this.#next()) {
      const free = this.#free()
      if (!free) return void this.#waiting.unshift(next)
      free.take(next)
    }
  }

  stop(): void {
    this.#isStopped = true
    clearInterval(this.#look)
    for (const exchange of this.#waiting.splice(0)) exchange.fail(new Error('The gateway stops'))
    for (const connection of this.#all) connection.close()
  }

  /** The next one that is still wanted. */
  #next(): Exchange | undefined {
    let next = this.#waiting.shift()
    while (next?.isOver) next = this.#waiting.shift()
    return next
  }

  /** A connection that is idle, or a new one within the limit. */
  #free(): Connection | undefined {
    for (let idle = this.#idle.pop(); idle; idle = this.#idle.pop()) {
      if (!idle.isStale) return idle
      idle.close()
    }
    if (this.#all.size >= this.#most) return undefined
    const connection = new Connection(this)
    this.#all.add(connection)
    return connection
  }

  #closeStale(): void {
    for (const connection of this.#idle.filter(({ isStale }) => isStale)) connection.close()
  }
}

/** RFC 9110, 5.6.2 and 5.5. */
const HEADER_NAME = /^[!#$%&'*+.^_`|~\w-]+$/
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

const IS_ASCII = /^[\0-\x7f]*$/
