import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../../../formats/errors.ts'
import { LOAD_LIMITS } from '../../../../platform/load/limits.ts'

/** Number of executions that wait for a worker. @param atMost counting further is not needed */
export type CountWaiting = (atMost: number) => Promise<number>

/** One that is being accepted. */
export interface Turn {
  /** Twice is harmless. */
  end(): void
}

/** Accepted at the same time while workers keep up. */
const AT_ONCE = LOAD_LIMITS.accepted.most
/** From this number of waiting executions on, accepting leaves the processor and the database to those that run. */
const BACKLOG = 100
/** Then one is accepted at a time, with pauses of this multiple of what accepting it took; longer ones with a longer backlog. */
const PAUSE = { least: 3, most: 9 }
const LONGEST_PAUSE_MS = 250
/** Time that one waits to be accepted: in a burst, and in an overload, where each waits as long as those before it do. */
const PATIENCE_MS = { burst: 15_000, overload: 3_000 }
/** Time after which a burst is an overload, if some have waited throughout. */
const BURST_MS = 1_000
/** Maximum age of a count: of less than half a backlog, and of more. */
const CALM_COUNT_MS = 5_000
const COUNT_MS = 250

/** Accepts executions no faster than those before them allow, and none beyond EXECUTIONS_QUEUE. */
export class Admission {
  readonly #waiting: (() => void)[] = []
  /** Since when some wait, if any do. */
  #waitingSince = 0
  #running = 0
  #backlog = 0
  #counted = -Infinity
  #counting: Promise<void> | undefined

  constructor(
    private readonly countWaiting: CountWaiting,
    private readonly queue = Number.MAX_SAFE_INTEGER,
    private readonly patience = PATIENCE_MS,
  ) {}

  /** Waits until one more may be accepted. @throws AppError OVERLOADED */
  async turn(): Promise<Turn> {
    await this.#count()
    if (this.#backlog >= this.queue)
      throw tooMany(`${this.queue} executions wait for a worker (EXECUTIONS_QUEUE)`)
    if (this.#running < this.#atOnce) this.#running++
    else await this.#inTurn()
    const began = performance.now()
    let isEnded = false
    return {
      end: () => {
        if (isEnded) return
        isEnded = true
        void this.#pause(performance.now() - began).then(() => this.#next())
      },
    }
  }

  get #isBehind(): boolean {
    return this.#backlog >= BACKLOG
  }

  get #isBurst(): boolean {
    return !this.#isBehind && performance.now() - this.#waitingSince < BURST_MS
  }

  get #atOnce(): number {
    return this.#isBehind ? 1 : AT_ONCE
  }

  async #pause(took: number): Promise<void> {
    this.#backlog++ // at most, until the next count
    if (!this.#isBehind) return
    const multiple = Math.min(PAUSE.least * (this.#backlog / BACKLOG), PAUSE.most)
    await delay(Math.min(took * multiple, LONGEST_PAUSE_MS), undefined, { ref: false })
  }

  #next(): void {
    this.#running--
    while (this.#running < this.#atOnce && this.#waiting.length > 0) {
      this.#running++
      this.#waiting.shift()?.()
    }
  }

  #inTurn(): Promise<void> {
    if (this.#waiting.length === 0) this.#waitingSince = performance.now()
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(begin), 1)
          reject(
            tooMany(`More executions come than can be accepted, with ${this.#backlog} waiting`),
          )
        },
        this.patience[this.#isBurst ? 'burst' : 'overload'],
      )
      this.#waiting.push(begin)
    })
  }

  async #count(): Promise<void> {
    const ageMs = performance.now() - this.#counted
    if (ageMs < (this.#backlog < BACKLOG / 2 ? CALM_COUNT_MS : COUNT_MS)) return
    this.#counting ??= this.countWaiting(this.queue)
      .then((count) => {
        this.#backlog = count
        this.#counted = performance.now()
      })
      .finally(() => {
        this.#counting = undefined
      })
    await this.#counting
  }
}

const tooMany = (reason: string) =>
  new AppError('OVERLOADED', `${reason}: send the request again later, under its Idempotency-Key`, {
    retryAfterSeconds: 5,
  })
