import { readdirSync, readFileSync } from 'node:fs'
import { RunError } from '../run/error.ts'
import type { SandboxLimits } from './sandbox-limits.ts'

/** Clock ticks per second in /proc, the same on every Linux. */
const TICKS = 100

/** Resources that a sandboxed process and every process below it have used. */
export interface Usage {
  mebibytes: number
  cpuSeconds: number
}

const NOTHING: Usage = { mebibytes: 0, cpuSeconds: 0 }

/**
 * Looks at the resident memory and the processor time of a sandboxed process, and of every process below it, while it
 * lives. The heap limit of the engine does not count Buffers, and the kernel's limits end a process without a reason.
 * @param before what earlier runs of the process used
 * @returns what ends the watch
 */
export function watchResources(
  pid: number,
  limits: SandboxLimits,
  onExceeded: (reason: RunError) => void,
  before: Usage = NOTHING,
): () => void {
  const timer = setInterval(() => {
    const reason = exceeded(usageOf(pid), before, limits)
    if (reason) onExceeded(reason)
  }, limits.watchMs)
  timer.unref()
  return () => clearInterval(timer)
}

export function usageOf(pid: number): Usage {
  const pids = withDescendants(pid)
  return { mebibytes: sum(pids, residentMebibytes), cpuSeconds: sum(pids, cpuSeconds) }
}

function exceeded(used: Usage, before: Usage, limits: SandboxLimits): RunError | null {
  if (used.mebibytes - before.mebibytes > limits.residentMebibytes) {
    const message = `The component used more than ${limits.residentMebibytes} MiB of memory`
    return new RunError('MEMORY_LIMIT', message)
  }
  if (used.cpuSeconds - before.cpuSeconds > limits.cpuSeconds) {
    const message = `The component used more than ${limits.cpuSeconds} s of processor time`
    return new RunError('CPU_LIMIT', message)
  }
  return null
}

const sum = (pids: readonly number[], of: (pid: number) => number) =>
  pids.reduce((total, pid) => total + of(pid), 0)

/** With its page tables, which can be larger than what they map. */
function residentMebibytes(pid: number): number {
  const status = statusOf(pid)
  const kibibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
  return (kibibytes('VmRSS') + kibibytes('VmPTE')) / 1024
}

/** The memory of a process whose first thread has ended is read from any other thread. */
function statusOf(pid: number): string {
  const status = proc(pid, 'status')
  if (status.includes('VmRSS:') || status === '') return status
  return (
    tasksOf(pid)
      .map((task) => proc(pid, `task/${task}/status`))
      .find((each) => each.includes('VmRSS:')) ?? ''
  )
}

/** Its own, and that of its children that have ended. */
function cpuSeconds(pid: number): number {
  // Fields are counted behind the program's name, which may itself hold blanks.
  const fields = proc(pid, 'stat').split(') ').at(-1)?.split(' ') ?? []
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) / TICKS
}

/** Those of a PID namespace stay below the process that made it, whatever they do. */
function withDescendants(pid: number): number[] {
  const pids = [pid]
  for (const parent of pids)
    for (const task of tasksOf(parent))
      for (const child of proc(parent, `task/${task}/children`).split(' '))
        if (child !== '') pids.push(Number(child))
  return pids
}

function tasksOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function proc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1')
  } catch {
    return '' // gone between two looks, or no /proc here
  }
}
