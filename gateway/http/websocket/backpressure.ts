import { setTimeout as delay, setImmediate as immediate } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { LOAD_LIMITS } from '../../../platform/load/limits.ts'
import { Queue } from '../../../platform/load/load.ts'

/** Interval at which the socket's buffer is checked. */
const LOOK_MS = 20

/** Keeps what waits for a client within bounds, whatever it sends and however slowly it reads. */
export class SocketBackpressure {
  /** Queries and mutations, those with an unsent answer included, and streams that open. */
  readonly #turns = new Queue(LOAD_LIMITS.socketOperations.most)
  #waiting: Promise<void> | undefined
  /** For how many reasons nothing is read. */
  #holds = 0

  /** @param bufferBytes how much may wait for the client to read it */
  constructor(
    private readonly socket: WebSocket,
    private readonly bufferBytes: number,
  ) {}

  /** Waits while the client has too much unread. One that reads nothing of it is closed elsewhere: see liveness.ts. */
  wait(): Promise<void> | undefined {
    if (!this.#isFull()) return undefined
    this.#waiting ??= this.#catchUp()
    return this.#waiting
  }

  /**
   * Runs the task within the concurrency limit. Its turn ends when there is room behind its answer; the answer is sent
   * before, as what waits in the buffer counts among the responses that clients have not read.
   */
  run<Result>(task: () => Promise<Result>): Promise<Result> {
    const isOneTooMany = this.#turns.isFull
    if (isOneTooMany) this.#hold()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const turn = async () => {
      resolve(await task())
      await immediate() // graphql-ws sends it meanwhile
      await this.wait()
    }
    this.#turns
      .run(turn)
      .catch(reject)
      .finally(() => {
        if (isOneTooMany) this.#release()
      })
    return promise
  }

  #isFull(): boolean {
    const { readyState, bufferedAmount, OPEN } = this.socket
    return readyState === OPEN && bufferedAmount > this.bufferBytes
  }

  async #catchUp(): Promise<void> {
    this.#hold()
    while (this.#isFull()) await delay(LOOK_MS, undefined, { ref: false })
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
