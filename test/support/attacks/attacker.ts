import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { watchResources } from '../../../runner/sandbox/resource-watch.ts'
import { DEFAULT_LIMITS, type SandboxLimits } from '../../../runner/sandbox/sandbox-limits.ts'
import { behindWalls, type Wall, wallsOfThisUser } from '../../../runner/sandbox/walls.ts'

/**
 * Native code in the place of Node, behind the walls of a run: Perl, which makes any system call. It stands for a
 * component that got past the harness, past Node's permission model and past the engine.
 */
export interface Attacker {
  /** Runs a script to its end. @param args what it finds in `@ARGV` */
  run(script: string, args?: readonly string[]): Promise<string>
  /** Runs a module in Node without permission model and harness. @param args what it finds behind the first of `process.argv` */
  runInNode(script: string, args: readonly string[]): Promise<string>
  /** Starts one that is not expected to end. */
  start(script: string, limits?: Partial<SandboxLimits>): Promise<Attack>
  remove(): void
}

export interface Attack {
  /** Why the worker would have ended it by now; null while it would not. */
  reason(): string | null
  /** Processes behind these walls, seen from outside. */
  pids(): number[]
  /** As the worker ends a run. Resolves when nothing is left, rejects when something is after 2 s. */
  end(): Promise<void>
}

/** Whose worker it is. An ordinary user is tried as root, too, who can become one. */
export const USERS = process.getuid?.() === 0 ? ['root', 'an ordinary user'] : ['an ordinary user']

const PERL = '/usr/bin/perl'
/** Belongs to no one. */
export const ORDINARY = 64_999

/** @param without walls that this machine is supposed not to have */
export function createAttacker(user: string, without: readonly Wall[] = []): Attacker {
  const walls = wallsOfThisUser()
  for (const wall of without) walls.delete(wall)
  const becomes = user !== 'root' && process.getuid?.() === 0
  if (becomes) walls.delete('uid')
  const folder = mkdtempSync(join(tmpdir(), 'attacker-'))
  chmodSync(folder, 0o755)
  // The checkout may lie where an ordinary user cannot go.
  let scripts = 0
  const copies = new Map<string, string>()
  const reachable = (path: string) => {
    if (!becomes) return path
    const copy = copies.get(path) ?? join(folder, String(copies.size))
    if (!copies.has(path)) copyFileSync(path, copy)
    copies.set(path, copy)
    chmodSync(copy, 0o755)
    return copy
  }
  /** @param runtime what takes the place of Node @param files more that it needs in its root */
  const enter = (behind: readonly string[], runtime: string, files: readonly string[] = []) => {
    const at = behind.indexOf('--')
    const [perl = '', program = '', ...values] = behind.slice(0, at)
    const wanted = values.map((value) =>
      value === `bind=/node=${process.execPath}` ? `bind=/node=${reachable(runtime)}` : value,
    )
    const command = [perl, reachable(program), ...new Set([...wanted, ...files])]
    return asUser([...command, ...behind.slice(at)])
  }
  const commandOf = (script: string, args: readonly string[], given: Partial<SandboxLimits>) => {
    scripts += 1
    const file = join(folder, `attack-${scripts}.pl`) // Perl opens /dev/null for a script that is an argument
    writeFileSync(file, script)
    const behind = behindWalls(walls, { ...DEFAULT_LIMITS, ...given }, ['/attack.pl', ...args])
    return enter(behind, PERL, [...librariesOf(PERL), `bind=/attack.pl=${file}`])
  }
  const launch = (command: readonly string[], stdio: SpawnOptions['stdio']) => {
    const [program = '', ...args] = command
    return spawn(program, args, { env: {}, cwd: '/', detached: true, stdio })
  }
  const outputOf = async (command: readonly string[]) => {
    // The shell that started a worker may have left a descriptor open.
    const left = openSync('/etc/passwd', 'r')
    const child = launch(command, ['ignore', 'pipe', 'pipe', left, left])
    closeSync(left)
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
    const written = await Promise.all(streams.map((stream) => buffer(stream)))
    return written.join('')
  }
  const asUser = (command: readonly string[]) => (becomes ? asOrdinaryUser(command) : [...command])
  return {
    run: (script, args = []) => outputOf(commandOf(script, args, {})),
    runInNode: (script, args) => {
      const flags = ['--no-warnings', '--input-type=module', '--eval', script]
      const command = behindWalls(walls, DEFAULT_LIMITS, [...flags, '--', ...args])
      return outputOf(walls.size > 0 ? enter(command, process.execPath) : asUser(command))
    },
    async start(script, given = {}) {
      const limits = { ...DEFAULT_LIMITS, ...given }
      const child = launch(commandOf(script, [], given), ['ignore', 'ignore', 'inherit'])
      const { pid = 0 } = child
      let reason: string | null = null
      const unwatch = watchResources(pid, limits, (exceeded) => {
        reason ??= exceeded.code
      })
      const { pids, isGone } = await insideOf(child)
      return {
        reason: () => reason,
        pids,
        async end() {
          unwatch()
          process.kill(-pid, 'SIGKILL')
          await isGone()
        },
      }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Watches from outside what is in the PID namespace that a process makes. */
export async function insideOf(child: ChildProcess): Promise<{
  pids(): number[]
  /** @throws Error when something is left after 2 s */
  isGone(): Promise<void>
}> {
  const own = readlinkSync('/proc/self/ns/pid')
  let inside: string | undefined
  while (inside === undefined && child.exitCode === null && child.signalCode === null) {
    await setTimeout(10)
    const first = namespaces().find(
      ({ parent, namespace }) => parent === child.pid && namespace !== own,
    )
    if (first && keepsNumber(first.pid)) inside = first.namespace
  }
  const pids = () =>
    namespaces().flatMap(({ pid, namespace }) => (namespace === inside ? [pid] : []))
  return {
    pids,
    async isGone() {
      for (let tries = 0; tries < 40; tries += 1) {
        if (pids().length === 0) return
        await setTimeout(50)
      }
      throw new Error(`Left after 2 s: ${pids()}`)
    },
  }
}

/** The kernel gives the number of a namespace that has gone to the next one, of a run beside this. Held open, it stays. */
function keepsNumber(pid: number): boolean {
  try {
    openSync(`/proc/${pid}/ns/pid`, 'r')
    return true
  } catch {
    return false // gone meanwhile
  }
}

/** The command by which an ordinary user starts it, who is no one that owns anything. */
export const asOrdinaryUser = (command: readonly string[]): string[] => [
  ...['setpriv', `--reuid=${ORDINARY}`, `--regid=${ORDINARY}`, '--clear-groups', '--'],
  ...command,
]

/** Every process that lives, with its parent and its PID namespace. The machine may leave a dead one for seconds. */
function namespaces(): { pid: number; parent: number; namespace: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const [, state, parent] =
        /\) (\w) (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'latin1')) ?? []
      if (state === 'Z') return []
      const namespace = readlinkSync(`/proc/${name}/ns/pid`)
      return [{ pid: Number(name), parent: Number(parent), namespace }]
    } catch {
      return [] // gone meanwhile, or another user's
    }
  })
}

const librariesOf = (program: string) =>
  execFileSync(program, ['-v'], { env: { LD_TRACE_LOADED_OBJECTS: '1' }, encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? [])
    .map((path) => `bind=${path}=${path}`)
