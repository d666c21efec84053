import {
  type ComponentProcess,
  ControlledProcess,
  type ProcessListener,
} from './component-process.ts'
import type { SandboxedChild } from './launcher.ts'
import { type Usage, usageOf } from './resource-watch.ts'
import type { SandboxLimits } from './sandbox-limits.ts'

interface Kept {
  key: string
  child: SandboxedChild
  runs: number
  /** Before its first run. */
  fresh: Usage
  used: Usage
  /** Ends the wait for its next run. */
  release(): void
}

/**
 * Processes between two runs of the same component for the same user. A process that
 * sends a message or exits without a run is ended, and no run gets it.
 */
export class KeptProcesses {
  readonly #kept = new Set<Kept>()
  readonly #ending = new Set<Promise<unknown>>()
  #stopped = false

  constructor(private readonly limits: SandboxLimits) {}

  /** The next run of a process that is kept under the key, the one used last; null where there is none. */
  take(key: string, listener: ProcessListener): ComponentProcess | null {
    const kept = [...this.#kept].findLast((each) => each.key === key)
    if (!kept) return null
    kept.release()
    return this.#control(kept, listener)
  }

  /** The first run of a process that may be kept afterwards. */
  begin(key: string, child: SandboxedChild, listener: ProcessListener): ComponentProcess {
    const fresh = usageOf(child.pid)
    return this.#control({ key, child, runs: 0, fresh, used: fresh, release: () => {} }, listener)
  }

  /** Kills them, and resolves when they are gone. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const kept of this.#kept) this.#end(kept)
    await Promise.all(this.#ending)
  }

  #control(kept: Kept, listener: ProcessListener): ComponentProcess {
    const { child, fresh, used } = kept
    const run = kept.runs + 1
    return new ControlledProcess(child, this.limits, listener, {
      run,
      before: {
        mebibytes: Math.max(0, used.mebibytes - fresh.mebibytes),
        cpuSeconds: used.cpuSeconds,
      },
      keep: (now) => this.#keep({ ...kept, runs: run, used: now }),
    })
  }

  #keep(kept: Kept): void {
    const { reuseRuns, reuseIdleMs, reuseProcesses, reuseMebibytes, reuseCpuSeconds } = this.limits
    const { child, runs, used } = kept
    const end = () => this.#end(kept)
    const timer = setTimeout(end, reuseIdleMs).unref()
    kept.release = () => {
      clearTimeout(timer)
      child.stdio.off('data', end).off('close', end)
      this.#kept.delete(kept)
    }
    child.stdio.on('data', end).once('close', end)
    this.#kept.add(kept)
    const isSpent = runs >= reuseRuns || used.mebibytes > reuseMebibytes
    if (this.#stopped || isSpent || used.cpuSeconds > reuseCpuSeconds) end()
    const [oldest] = this.#kept
    if (this.#kept.size > reuseProcesses && oldest) this.#end(oldest)
  }

  #end(kept: Kept): void {
    kept.release()
    kept.child.stdio.resume()
    kept.child.kill()
    const ending = kept.child.exited.finally(() => this.#ending.delete(ending))
    this.#ending.add(ending)
  }
}
