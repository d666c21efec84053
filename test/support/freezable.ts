import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Leads to a database until it freezes: then connections stay open, new ones too, and nothing is answered. */
export interface Freezable {
  /** As the database has it, by way of this one. */
  url: string
  freeze(): void
  /** Freezes as soon as a client sends a text. */
  freezeAt(text: string): void
  readonly isFrozen: boolean
  /** Ends all connections, and new ones at once. */
  sever(): void
  /** Answers new connections again. */
  thaw(): void
  close(): void
}

export async function startFreezable(databaseUrl: string): Promise<Freezable> {
  const url = new URL(databaseUrl)
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false
  let isSevered = false
  let trigger: string | undefined
  const keep = (socket: Socket) => {
    sockets.add(socket)
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const freeze = () => {
    isFrozen = true
    for (const socket of sockets) socket.unpipe()
  }
  const server = createServer((socket) => {
    keep(socket)
    if (isSevered) return void socket.destroy()
    if (isFrozen) return
    const inside = keep(connect(Number(port), hostname))
    socket.on('data', (sent) => {
      if (trigger !== undefined && sent.includes(trigger)) freeze()
    })
    socket.pipe(inside).pipe(socket)
    socket.once('close', () => inside.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    freeze,
    freezeAt(text) {
      trigger = text
    },
    get isFrozen() {
      return isFrozen
    },
    sever() {
      isSevered = true
      for (const socket of sockets) socket.destroy()
    },
    thaw() {
      isFrozen = false
      isSevered = false
      trigger = undefined
    },
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
