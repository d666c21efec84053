import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { descendantsOf } from '../support/process-tree.ts'

/** Milliseconds of a clock tick in /proc. */
export const TICK_MS = 10

/** Script that starts sandboxed processes, in each version. */
const SPAWNER = 'sandbox/spawner.js'

/**
 * Processor time (ms) that processes have used, with all below them: those that ended and were waited for, too. Without
 * sandboxed processes: no parent waits for them, so the time of one is gone once it has ended.
 */
export async function processorMs(pids: readonly number[]): Promise<number> {
  const sandboxed = new Set<number>()
  const below = (await descendantsOf(pids)).filter(({ pid, parent, command }) => {
    const isSandboxed = sandboxed.has(parent) || command.includes(SPAWNER)
    if (isSandboxed) sandboxed.add(pid)
    return !isSandboxed
  })
  const ticks = await Promise.all([...pids, ...below.map(({ pid }) => pid)].map(ticksOf))
  return sum(ticks) * TICK_MS
}

/** Processor time (ms) of one process, without its children. */
export const ownProcessorMs = async (pid: number): Promise<number> =>
  sum((await ticks(pid)).slice(0, 2)) * TICK_MS

/** Seconds of a wait; what is used in the last ones of them is rest, and no work that was left to do. */
const LOOKS = 10
const LOOKS_AT_REST = 5

/**
 * Processor time (ms) of each group that some work takes: what it leaves to do is done, and counts. What processes take at
 * rest in the time of the wait does not: a product looks for jobs ten seconds long as often as in ten seconds of work.
 */
export async function processorMsOf(
  groups: readonly (readonly number[])[],
  work: () => Promise<unknown>,
): Promise<number[]> {
  const read = () => Promise.all(groups.map(processorMs))
  const before = await read()
  await work()
  const looks = [await read()]
  for (let look = 0; look < LOOKS; look++) {
    await delay(1_000)
    looks.push(await read())
  }
  return groups.map((_, group) => {
    const at = (look: number) => looks[look]?.[group] ?? NaN
    const restMs = (at(LOOKS) - at(LOOKS - LOOKS_AT_REST)) / LOOKS_AT_REST
    return at(LOOKS) - (before[group] ?? NaN) - restMs * LOOKS
  })
}

/** Processor time (ms) of everything that this program has started, without itself. */
export async function startedMs(): Promise<number> {
  const { user, system } = process.cpuUsage()
  return (await processorMs([process.pid])) - (user + system) / 1_000
}

/**
 * Processor time (ms) that a sandboxed process has used when it is ready, as a mean. Those that were used are killed with
 * their parents, so nobody waits for them, and `processorMs` knows nothing of them.
 */
export async function readySandboxMs(pids: readonly number[]): Promise<number> {
  const ready = (await descendantsOf(pids)).filter(
    ({ command }) => command.includes(' --permission ') && !/^(unshare|sandbox) /.test(command),
  )
  const ticks = await Promise.all(ready.map(({ pid }) => ticksOf(pid)))
  return (ticks.reduce((sum, each) => sum + each, 0) * TICK_MS) / ready.length
}

const ticksOf = async (pid: number): Promise<number> => sum(await ticks(pid))

/** User and system time, then those of ended children. */
async function ticks(pid: number): Promise<number[]> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // They stand behind the name in brackets, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).map(Number)
}

const sum = (values: number[]): number => values.reduce((total, each) => total + each, 0)
