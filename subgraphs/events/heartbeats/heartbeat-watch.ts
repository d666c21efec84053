import { failureOf } from '../../../platform/database/database-error.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { HeartbeatRepository } from './heartbeat.repository.ts'

/** The shortest interval of a heartbeat is longer, so each is seen before it is due, whichever process received it. */
const LOOK_AGAIN_MS = 5_000
const LEAST_MS = 50

/** Looks for missing heartbeats until it is stopped. */
export class HeartbeatWatch {
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #isStopped = false

  constructor(
    private readonly heartbeats: Pick<HeartbeatRepository, 'look'>,
    private readonly log: Logger,
  ) {}

  start(): void {
    this.#looking = this.#look()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  async #look(): Promise<void> {
    let next: Date | null = null
    try {
      next = await this.heartbeats.look(currentTime())
    } catch (error) {
      const level = failureOf(error) === 'transient' ? 'warn' : 'error'
      if (!this.#isStopped) this.log[level]({ err: error }, 'Heartbeats not looked at')
    }
    if (this.#isStopped) return
    const untilNext = next ? next.getTime() - currentTime().getTime() : LOOK_AGAIN_MS
    const pauseMs = Math.max(LEAST_MS, Math.min(untilNext, LOOK_AGAIN_MS))
    this.#timer = setTimeout(() => this.start(), pauseMs)
    this.#timer.unref()
  }
}
