import { setTimeout as delay } from 'node:timers/promises'
import { bulkhead } from 'cockatiel'
import type { WebSocket } from 'ws'
import type { StreamLimits } from '../subscriptions/live-stream.ts'
import { CLOSE } from './close-codes.ts'

/** Queries and mutations of a client that run at the same time, or have an answer that waits for room; others wait. */
const MAX_RUNNING = 32
/** How often it is looked whether a client reads. */
const LOOK_MS = 20

/** Keeps what waits for a client within bounds, whatever it sends and however slowly it reads. */
export interface SocketRoom {
  /** Waits while the client has too much unread. One that reads nothing for too long is closed, as a slow subscriber is. */
  wait(): Promise<void> | undefined
  /** Runs when there is a turn, and ends when there is room for what it answers. */
  run<Result>(task: () => Promise<Result>): Promise<Result>
}

/** @returns the room of each socket */
export function socketRooms(limits: StreamLimits): (socket: WebSocket) => SocketRoom {
  const rooms = new WeakMap<WebSocket, SocketRoom>()
  return (socket) => {
    const room = rooms.get(socket) ?? new Room(socket, limits)
    rooms.set(socket, room)
    return room
  }
}

class Room implements SocketRoom {
  readonly #turns = bulkhead(MAX_RUNNING, Number.POSITIVE_INFINITY)
  #waiting: Promise<void> | undefined
  /** For how many reasons nothing is read. */
  #holds = 0

  constructor(
    private readonly socket: WebSocket,
    private readonly limits: StreamLimits,
  ) {}

  wait(): Promise<void> | undefined {
    if (!this.#isFull()) return undefined
    this.#waiting ??= this.#catchUp()
    return this.#waiting
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    const isOneTooMany = this.#turns.executionSlots === 0
    if (isOneTooMany) this.#hold()
    try {
      return await this.#turns.execute(async () => {
        const result = await task()
        await this.wait()
        return result
      })
    } finally {
      if (isOneTooMany) this.#release()
    }
  }

  #isFull(): boolean {
    const { readyState, bufferedAmount, OPEN } = this.socket
    return readyState === OPEN && bufferedAmount > this.limits.bufferBytes
  }

  async #catchUp(): Promise<void> {
    this.#hold()
    let least = this.socket.bufferedAmount
    let until = performance.now() + this.limits.stallMs
    while (this.#isFull() && performance.now() < until) {
      await delay(LOOK_MS, undefined, { ref: false })
      if (this.socket.bufferedAmount >= least) continue
      least = this.socket.bufferedAmount
      until = performance.now() + this.limits.stallMs
    }
    if (this.#isFull()) this.socket.close(...CLOSE.slow)
    this.#waiting = undefined
    this.#release()
  }

  #hold(): void {
    if (this.#holds++ === 0) this.socket.pause()
  }

  #release(): void {
    if (--this.#holds === 0) this.socket.resume()
  }
}
