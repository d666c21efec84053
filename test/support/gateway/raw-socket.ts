import { once } from 'node:events'
import type { Socket } from 'node:net'
import WebSocket, { type ClientOptions } from 'ws'

/** A WebSocket whose frames a test writes and reads itself. */
export class RawSocket {
  readonly #frames: string[] = []
  readonly #arrivals: (() => void)[] = []
  readonly closed: Promise<{ code: number; reason: string }>

  private constructor(readonly socket: WebSocket) {
    const arrived = () => {
      for (const wake of this.#arrivals.splice(0)) wake()
    }
    socket.on('message', (data) => {
      this.#frames.push(String(data))
      arrived()
    })
    this.closed = new Promise((resolve) =>
      socket.once('close', (code, reason) => {
        resolve({ code, reason: String(reason) })
        arrived()
      }),
    )
  }

  static async open(url: string, options: ClientOptions = {}): Promise<RawSocket> {
    const address = `${url.replace('http', 'ws')}/graphql`
    const socket = new WebSocket(address, 'graphql-transport-ws', options)
    const raw = new RawSocket(socket)
    await once(socket, 'open')
    return raw
  }

  /** Opens one that is ready for operations. */
  static async ready(url: string, options?: ClientOptions): Promise<RawSocket> {
    const raw = await RawSocket.open(url, options)
    raw.send({ type: 'connection_init' })
    expect(await raw.next()).toEqual({ type: 'connection_ack' })
    return raw
  }

  send(frame: object | string): void {
    this.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  /** Sends several frames in one write, so that the server reads them at once. */
  together(send: () => void): void {
    const { _socket: wire } = this.socket as unknown as { _socket: Socket } // ws keeps it to itself
    wire.cork()
    send()
    wire.uncork()
  }

  subscribe(id: string, query: string): void {
    this.send({ id, type: 'subscribe', payload: { query } })
  }

  /** The next frame, as text. */
  async text(): Promise<string> {
    while (this.#frames.length === 0) {
      if (this.socket.readyState === WebSocket.CLOSED)
        throw new Error(`Closed, where a frame is expected: ${JSON.stringify(await this.closed)}`)
      await new Promise<void>((resolve) => this.#arrivals.push(resolve))
    }
    return this.#frames.shift() ?? ''
  }

  async next(): Promise<unknown> {
    return JSON.parse(await this.text())
  }

  /** Every frame that has arrived and was not read. */
  arrived(): unknown[] {
    return this.#frames.splice(0).map((text) => JSON.parse(text))
  }

  /** Every frame that has arrived by the time that the server has answered a ping. */
  async rest(): Promise<unknown[]> {
    this.send({ type: 'ping', payload: { last: true } })
    const frames: unknown[] = []
    for (;;) {
      const frame = (await this.next()) as { type: string }
      if (frame.type === 'pong') return frames
      frames.push(frame)
    }
  }

  async close(): Promise<void> {
    this.socket.close()
    await this.closed
  }
}
