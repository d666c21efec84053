import { setTimeout as delay } from 'node:timers/promises'
import { failureOf } from '../../../platform/database/database-error.ts'
import type { ArtifactStored } from '../../../platform/jobs/artifact-stored.ts'
import { currentTime } from '../../../platform/process/clock.ts'
import type { Logger } from '../../../platform/process/logger.ts'
import type { PubSub } from '../../../platform/pub-sub/pub-sub.ts'
import type { ForwardedArtifactRepository } from './artifact.repository.ts'
import type { NotifierRepository } from './notifier.repository.ts'

const TOPIC = 'rules-changed'
/** Without a wake-up: what another process left behind, and silences that begin or end. */
const LOOK_AGAIN_MS = 5_000
/**
 * Between two passes: changes of many requests are judged together. With 100 rules an event takes 0.99 times the processor
 * time of one without rules (`npm run bench:events -- ruled`); without a pause it took 1.37 times.
 */
const PAUSE_MS = 500
const FAILED_PAUSE_MS = 1_000

/** Has changes judged whenever there are some, and groups whenever they are due. */
export class Notifier {
  /** True while a rule or a trigger is on: ingestion notes changes of state. */
  isOn = false
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #isWanted = false
  #isStopped = false
  #unsubscribe = () => {}

  constructor(
    private readonly passes: Pick<NotifierRepository, 'run'>,
    private readonly artifacts: Pick<ForwardedArtifactRepository, 'isAnyRule' | 'store'>,
    private readonly pubSub: PubSub,
    private readonly log: Logger,
    /** NOTIFICATIONS */
    private readonly sends: boolean,
  ) {}

  async start(): Promise<void> {
    this.#unsubscribe = this.pubSub.subscribe(TOPIC, () => void this.#lookAgain())
    await this.#lookAgain()
  }

  /** Takes a changed artifact over, in all processes. */
  async store(change: ArtifactStored): Promise<void> {
    // Changes are noted from before the rule can be read here: with its preview it is in effect.
    const { kind, fields } = change
    if ((kind === 'rule' || kind === 'trigger') && fields?.query) this.isOn = true
    await this.artifacts.store(change)
    await this.#lookAgain()
    await this.pubSub.publish(TOPIC, '')
  }

  /** After a change that may have been noted. */
  wakeIfOn(): void {
    if (this.isOn) this.wake()
  }

  wake(): void {
    if (this.#isStopped) return
    this.#isWanted = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    await this.#running
  }

  async #lookAgain(): Promise<void> {
    try {
      const wasOn = this.isOn
      this.isOn = await this.artifacts.isAnyRule()
      if (this.isOn || wasOn) this.wake()
      else this.#waitFor(null)
    } catch (error) {
      this.#failed(error)
      this.#waitFor(null)
    }
  }

  async #run(): Promise<void> {
    let next: Date | null = null
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false
      try {
        const outcome = await this.passes.run(currentTime(), this.sends)
        if (outcome === 'BUSY' || outcome === 'MORE') this.#isWanted = true
        else next = outcome.next
        if (outcome !== 'MORE') await delay(PAUSE_MS)
      } catch (error) {
        this.#failed(error)
        this.#isWanted = true
        await delay(FAILED_PAUSE_MS)
      }
    }
    this.#waitFor(next)
  }

  #waitFor(next: Date | null): void {
    clearTimeout(this.#timer)
    if (this.#isStopped) return
    const untilNext = next ? Math.max(0, next.getTime() - currentTime().getTime()) : LOOK_AGAIN_MS
    this.#timer = setTimeout(() => void this.#lookAgain(), Math.min(untilNext, LOOK_AGAIN_MS))
    this.#timer.unref()
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return
    if (failureOf(error) === 'transient') this.log.warn({ err: error }, 'Notifications delayed')
    else this.log.error({ err: error }, 'Notifications not judged')
  }
}
