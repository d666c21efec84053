import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../e2e/users.ts'

const BATCH = 50
const EVENTS = 40
const PAUSE_MS = 20

/** Events and executions that come in all the time. Each occurrence is known by its message. */
export class Load {
  /** Occurrences that were acknowledged before the moment that a test cares for. */
  acknowledgedBefore: readonly string[] = []
  readonly #client: Client
  readonly #signIn: Record<string, string>
  readonly #acknowledged: string[] = []
  #isOver = false
  #running: Promise<unknown> | undefined

  constructor(client: Client, signIn: Record<string, string>) {
    this.#client = client
    this.#signIn = signIn
  }

  /** @param execute also runs again and again */
  begin(execute: () => Promise<{ status: number }>): void {
    this.#running = Promise.all([this.#sendEvents(), this.#repeat(execute, 200)])
  }

  acknowledged(): string[] {
    return [...this.#acknowledged]
  }

  /** Waits until so many occurrences are acknowledged. */
  async sends(count: number): Promise<void> {
    while (this.#acknowledged.length < count) await Promise.race([delay(PAUSE_MS), this.#running])
  }

  /** @throws what went wrong meanwhile */
  async end(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  #sendEvents(): Promise<void> {
    let sent = 0
    return this.#repeat(async () => {
      const events = Array.from({ length: BATCH }, () => {
        sent++
        return {
          title: `drill ${sent % EVENTS}`,
          message: `occurrence ${sent}`,
          properties: { sent },
        }
      })
      const answer = await this.#client.rest('POST', '/v1/events', this.#signIn, events)
      if (answer.status === 202) this.#acknowledged.push(...events.map(({ message }) => message))
      return answer
    }, PAUSE_MS)
  }

  async #repeat(send: () => Promise<{ status: number }>, pauseMs: number): Promise<void> {
    while (!this.#isOver) {
      const { status } = await send()
      if (status >= 300) throw new Error(`The product answered ${status}`)
      await delay(pauseMs)
    }
  }
}
