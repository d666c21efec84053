import type { ChildProcess } from 'node:child_process'
import { killGroup } from './kill-group.ts'

/** Starting a process holds up its parent for some ms: not while the one that was taken gets its work. */
const REFILL_MS = 50

/** When a process that nobody used ended by itself, the next is not started sooner. */
const RETRY_MS = 5_000

/** Keeps sandboxed processes started, as starting one takes longer than most scenarios. Each is given away once. */
export class ReadyProcesses {
  readonly #ready = new Map<ChildProcess, () => void>()
  readonly #launch: () => ChildProcess
  readonly #size: number
  #refill: NodeJS.Timeout | undefined
  #stopped = false

  constructor(launch: () => ChildProcess, size: number) {
    this.#launch = launch
    this.#size = size
  }

  /** Starts what is missing. */
  fill(): void {
    while (!this.#stopped && this.#ready.size < this.#size) this.#add()
  }

  /** The process that is ready for the longest time, else a new one. Another one is started in its place soon. */
  take(): ChildProcess {
    const [first] = this.#ready
    const child = first?.[0] ?? this.#launch()
    first?.[1]()
    this.#fillAfter(REFILL_MS)
    return child
  }

  /** Kills those that nobody took, and resolves when they are gone. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#refill)
    const left = [...this.#ready]
    await Promise.all(
      left.map(
        ([child, forget]) =>
          new Promise<void>((resolve) => {
            forget()
            child.once('close', () => resolve()).once('error', () => resolve())
            killGroup(child)
          }),
      ),
    )
  }

  #fillAfter(ms: number): void {
    if (this.#stopped) return
    this.#refill ??= setTimeout(() => {
      this.#refill = undefined
      this.fill()
    }, ms).unref()
  }

  #add(): void {
    const child = this.#launch()
    const onEnd = () => {
      forget()
      killGroup(child)
      this.#fillAfter(RETRY_MS)
    }
    const forget = () => {
      this.#ready.delete(child)
      child.off('exit', onEnd).off('error', onEnd)
    }
    child.once('exit', onEnd).once('error', onEnd)
    this.#ready.set(child, forget)
  }
}
