import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  DEFAULT_PROGRAM_LIMITS,
  type ProgramLimits,
} from '../../../runner/sandbox/sandbox-limits.ts'
import {
  COMMAND_WALLS,
  commandBehindWalls,
  commandUser,
  wallsOfThisUser,
} from '../../../runner/sandbox/walls.ts'
import { asOrdinaryUser, insideOf, ORDINARY } from './attacker.ts'

/** A program as a `command` step starts it, for a worker that is root or an ordinary user. */
export interface ProgramAttacker {
  /** Folder in which it runs; its user may write there. */
  readonly folder: string
  start(
    shell: string,
    limits?: Partial<ProgramLimits>,
    hidden?: readonly string[],
  ): Promise<ProgramAttack>
  remove(): void
}

export interface ProgramAttack {
  /** Its processes, seen from outside. */
  pids(): number[]
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; written: string }>
  /** As the worker ends a step. */
  kill(): void
  /** @throws Error when something is left after 2 s */
  isGone(): Promise<void>
}

export function createProgramAttacker(user: string): ProgramAttacker {
  const isRoot = process.getuid?.() === 0
  const becomes = user !== 'root' && isRoot
  const walls = new Set([...wallsOfThisUser()].filter((wall) => COMMAND_WALLS.has(wall)))
  if (becomes) walls.delete('uid')
  const folder = mkdtempSync(join(tmpdir(), 'program-attacker-'))
  chmodSync(folder, 0o755)
  const owner = becomes ? ORDINARY : commandUser()
  if (owner !== null) chownSync(folder, owner, owner)
  // The checkout may lie where an ordinary user cannot go.
  const copy = join(folder, 'walls.pl')
  return {
    folder,
    async start(shell, limits = {}, hidden = []) {
      const behind = { walls, limits: { ...DEFAULT_PROGRAM_LIMITS, ...limits }, hidden }
      const command = commandBehindWalls(behind, folder, ['sh', '-c', shell])
      const [perl = '', script = '', ...rest] = command
      for (const suffix of ['.pl', '-program.pl']) {
        const part = copy.replace(/\.pl$/, suffix)
        copyFileSync(script.replace(/\.pl$/, suffix), part)
        chmodSync(part, 0o644)
      }
      const child = launch(becomes ? asOrdinaryUser([perl, copy, ...rest]) : command)
      const written = Promise.all(
        [child.stdout, child.stderr].map((stream) => stream && text(stream)),
      )
      const ended = once(child, 'exit').then(async ([code, signal]) => ({
        ...{ code, signal },
        written: (await written).join(''),
      }))
      return { ...(await insideOf(child)), ended, kill: () => killGroup(child) }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function launch([program = '', ...args]: readonly string[]): ChildProcess {
  const stdio = ['ignore', 'pipe', 'pipe', 'pipe'] as const
  const child = spawn(program, args, { env: {}, cwd: '/', detached: true, stdio: [...stdio] })
  const environment = child.stdio[3] as Writable // it is one by `stdio`
  environment.on('error', () => {}) // it ended before it read
  environment.end(`PATH=${process.env.PATH ?? '/usr/bin:/bin'}\0`)
  return child
}

const killGroup = ({ pid = 0 }: ChildProcess): void => void process.kill(-pid, 'SIGKILL')
