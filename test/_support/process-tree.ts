import { readdir, readFile } from 'node:fs/promises'
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
  const all = await processes()
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
  withinMs = 5_000,
): Promise<SeenProcess[]> {
  const deadline = Date.now() + withinMs
  for await (const _ of setInterval(20)) {
    const now = new Map((await processes()).map((process) => [process.pid, process.startedAt]))
    const left = seen.filter(({ pid, startedAt }) => now.get(pid) === startedAt)
    if (left.length === 0 || Date.now() > deadline) return left
  }
  return []
}

/** Every process but zombies. */
async function processes(): Promise<SeenProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const seen = await Promise.all(pids.map((pid) => read(Number(pid)).catch(() => null)))
  return seen.filter((process) => process !== null)
}

async function read(pid: number): Promise<SeenProcess | null> {
  const [stat, cmdline] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/cmdline`, 'utf8'),
  ])
  // The name in brackets may hold anything; what follows it begins with state and parent.
  const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === 'Z' || state === 'X') return null
  const command = cmdline.replaceAll('\0', ' ').slice(0, 200)
  return { pid, parent: Number(parent), startedAt: rest[17] ?? '', command }
}
