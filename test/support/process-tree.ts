import { readdirSync, readFileSync } from 'node:fs'
import { setInterval } from 'node:timers/promises'

/** A process as it was seen; a later one with the same pid has another `startedAt`. */
export interface SeenProcess {
  pid: number
  parent: number
  /** Clock ticks since boot. */
  startedAt: string
  command: string
}

/** The processes below the given ones: children, their children and so on. */
export async function descendantsOf(pids: readonly number[]): Promise<SeenProcess[]> {
  const all = processes()
  const found: SeenProcess[] = []
  for (let parents = new Set(pids); parents.size > 0; ) {
    const children = all.filter(({ parent }) => parents.has(parent))
    found.push(...children)
    parents = new Set(children.map(({ pid }) => pid))
  }
  return found
}

/** Those of the given processes that are still there after a while in which they may end. */
export async function survivorsOf(
  seen: readonly SeenProcess[],
  withinMs = 60_000,
): Promise<SeenProcess[]> {
  const deadline = Date.now() + withinMs
  for await (const _ of setInterval(20)) {
    const now = new Map(processes().map((process) => [process.pid, process.startedAt]))
    const left = seen.filter(({ pid, startedAt }) => now.get(pid) === startedAt)
    if (left.length === 0 || Date.now() > deadline) return left
  }
  return []
}

/** Every process but zombies. Files of /proc are read from memory: to wait for each takes ten times the processor time. */
const processes = (): SeenProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(read)
    .filter((process) => process !== null)

/** @returns null for a zombie and for a process that has ended meanwhile */
function read(pid: string): SeenProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const cmdline = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    // The name in brackets may hold anything; what follows it begins with state and parent.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    const command = cmdline.replaceAll('\0', ' ').slice(0, 200)
    return { pid: Number(pid), parent: Number(parent), startedAt: rest[17] ?? '', command }
  } catch {
    return null
  }
}
