import type { SandboxedChild } from './launcher.ts'

/** A process takes its time on a core until it is ready: not while the one that was taken gets its work. */
const REFILL_MS = 50

/** Pause before the next start, after an unused process ended by itself or a start failed. */
const RETRY_MS = 5_000

/** Keeps sandboxed processes started, as starting one takes longer than most scenarios. Each is given away once. */
export class ReadyProcesses {
  readonly #ready = new Set<SandboxedChild>()
  readonly #starting = new Set<Promise<void>>()
  #refill: NodeJS.Timeout | undefined
  #stopped = false

  constructor(
    private readonly launch: () => Promise<SandboxedChild>,
    private readonly size: number,
  ) {}

  /** Number of processes that are started and unused. */
  get count(): number {
    return this.#ready.size
  }

  /** Starts missing processes. */
  fill(): void {
    while (!this.#stopped && this.#ready.size + this.#starting.size < this.size) {
      const starting = this.#add().finally(() => this.#starting.delete(starting))
      this.#starting.add(starting)
    }
  }

  /** The process that is ready for the longest time, else a new one. Another one is started in its place soon. */
  async take(): Promise<SandboxedChild> {
    this.#fillAfter(REFILL_MS)
    for (const child of this.#ready) {
      this.#ready.delete(child)
      if (isAlive(child)) return child
    }
    return this.launch()
  }

  /** Kills the unused processes, and resolves when they are gone. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#refill)
    await Promise.all(this.#starting)
    for (const child of this.#ready) child.kill()
    await Promise.all([...this.#ready].map(({ exited }) => exited))
  }

  #fillAfter(ms: number): void {
    if (this.#stopped) return
    this.#refill ??= setTimeout(() => {
      this.#refill = undefined
      this.fill()
    }, ms).unref()
  }

  async #add(): Promise<void> {
    const child = await this.launch().catch(() => null) // a run that needs one starts it itself and reports the error
    if (!child) return this.#fillAfter(RETRY_MS)
    this.#ready.add(child)
    void child.exited.then(() => {
      if (this.#ready.delete(child)) this.#fillAfter(RETRY_MS)
    })
  }
}

/** The end of a process may not have been reported yet. */
function isAlive({ pid }: SandboxedChild): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
