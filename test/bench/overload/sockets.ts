import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

/** Time limit of a response. */
const PATIENCE_MS = 30_000

/** More at once would not fit into the queue of the kernel, which drops them for seconds. */
const OPENED_AT_ONCE = 50
const PAUSE_MS = 20
const REQUEST_TIMEOUT = 408

/** Part of a response that the load reads. */
export interface Head {
  status: number
  /** By names in lower case. */
  headers: Readonly<Record<string, string>>
}

/** All connections are taken: a client of its own would have one, this machine has no more. */
export class NoneLeft extends Error {
  override message = 'All connections of the load are taken'
}

/**
 * HTTP/1.1 with one request at a time on each of many connections, and nothing else: a general client takes as much
 * processor time for thousands of connections as the product under test.
 */
export class Connections {
  readonly #origin: URL
  readonly #max: number
  readonly #idle: Connection[] = []
  readonly #all = new Set<Connection>()

  constructor(origin: URL, max: number) {
    this.#origin = origin
    this.#max = max
  }

  /** @throws NoneLeft; Error where the connection is lost */
  async post(path: string, headers: Record<string, string>, body: string): Promise<Head> {
    const text = requestText(this.#origin, path, headers, body)
    const head = await this.#send(text)
    // The server has just closed a connection that was idle for long: RFC 9110 lets clients send the request again.
    return head.status === REQUEST_TIMEOUT ? this.#send(text) : head
  }

  async #send(text: string): Promise<Head> {
    const connection = this.#free() ?? this.#open()
    try {
      return await connection.send(text)
    } finally {
      if (connection.isOpen) this.#idle.push(connection)
      else this.#all.delete(connection)
    }
  }

  /** Opens all of them, as clients have that were there before the overload. */
  async openAll(): Promise<void> {
    while (this.#all.size < this.#max) {
      for (let opened = 0; opened < OPENED_AT_ONCE && this.#all.size < this.#max; opened++)
        this.#idle.push(this.#open())
      await delay(PAUSE_MS)
    }
  }

  close(): void {
    for (const connection of this.#all) connection.close()
  }

  /** Servers close connections that were idle for some seconds. */
  #free(): Connection | undefined {
    let connection = this.#idle.pop()
    while (connection && !connection.isOpen) {
      this.#all.delete(connection)
      connection = this.#idle.pop()
    }
    return connection
  }

  #open(): Connection {
    if (this.#all.size >= this.#max) throw new NoneLeft()
    const connection = new Connection(connect(Number(this.#origin.port), this.#origin.hostname))
    this.#all.add(connection)
    return connection
  }
}

export const requestText = (
  { host }: URL,
  path: string,
  headers: Record<string, string>,
  body: string,
): string =>
  [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n')

/** @returns undefined until all of it is there */
export function readHead(text: string): (Head & { length: number }) | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [first = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(first.slice(9, 12)), headers, length: end + 4 }
}

class Connection {
  isOpen = true
  readonly #socket: Socket
  #answer: PromiseWithResolvers<Head> | undefined
  #text = ''
  #head: ReturnType<typeof readHead>

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setNoDelay()
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.setEncoding('latin1')
    socket.on('data', (piece: string) => this.#read(piece))
    socket.on('error', (error) => this.#answer?.reject(error))
    socket.on('close', () => {
      this.isOpen = false
      this.#answer?.reject(new Error('The connection was closed without an answer'))
    })
  }

  send(text: string): Promise<Head> {
    this.#answer = Promise.withResolvers<Head>()
    this.#text = ''
    this.#head = undefined
    this.#socket.write(text)
    return this.#answer.promise
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(piece: string): void {
    this.#text += piece
    this.#head ??= readHead(this.#text)
    if (!this.#head) return
    const { headers, length } = this.#head
    const size = headers['content-length']
    const isWhole =
      size === undefined
        ? this.#text.endsWith('\r\n0\r\n\r\n')
        : this.#text.length >= length + Number(size)
    if (!isWhole) return
    if (headers.connection === 'close') this.isOpen = false
    const answer = this.#answer
    this.#answer = undefined
    answer?.resolve(this.#head)
  }
}
