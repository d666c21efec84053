import { readFileSync } from 'node:fs'
import { RunError } from '../run-error.ts'
import type { SandboxLimits } from './limits.ts'

/** Clock ticks per second in /proc, the same on every Linux. */
const TICKS = 100

/**
 * Looks at the resident memory and the processor time of a sandboxed process while it lives. The heap limit of the
 * engine does not count Buffers, and the kernel's limits end a process without a reason.
 * @returns what ends the watch
 */
export function watchResources(
  pid: number,
  limits: SandboxLimits,
  onExceeded: (reason: RunError) => void,
): () => void {
  const timer = setInterval(() => {
    const reason = exceeded(programOf(pid), limits)
    if (reason) onExceeded(reason)
  }, limits.watchMs)
  timer.unref()
  return () => clearInterval(timer)
}

function exceeded(pid: number, limits: SandboxLimits): RunError | null {
  const mebibytes = Number(/^VmRSS:\s+(\d+)/m.exec(proc(pid, 'status'))?.[1] ?? 0) / 1024
  if (mebibytes > limits.residentMebibytes) {
    const message = `The component used more than ${limits.residentMebibytes} MiB of memory`
    return new RunError('MEMORY_LIMIT', message)
  }
  // Fields are counted behind the program's name, which may itself hold blanks.
  const fields = proc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  const seconds = (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / TICKS
  if (seconds > limits.cpuSeconds) {
    const message = `The component used more than ${limits.cpuSeconds} s of processor time`
    return new RunError('CPU_LIMIT', message)
  }
  return null
}

/** With a process namespace, `unshare` stays as the parent of the program. */
function programOf(pid: number): number {
  const child = proc(pid, `task/${pid}/children`).trim().split(' ', 1)[0]
  return child ? Number(child) : pid
}

function proc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return '' // gone between two looks, or no /proc here
  }
}
