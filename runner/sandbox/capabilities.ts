import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { DEFAULT_LIMITS } from './sandbox-limits.ts'
import { behindWalls, COMMAND_WALLS, OPTIONAL, WALLS, type Wall, wallsOfThisUser } from './walls.ts'

export type SandboxMode = 'strict' | 'best-effort'

/** Abilities of the sandbox on this machine; shown in the health answer. */
export interface SandboxCapabilities {
  mode: SandboxMode
  /** The walls that every run gets, by their names. */
  walls: readonly string[]
  missing: readonly MissingWall[]
  /** WATCHED: resident memory and processor time are read while code runs. KERNEL_ONLY: no /proc to read. */
  resources: 'WATCHED' | 'KERNEL_ONLY'
}

export interface MissingWall {
  wall: string
  reason: string
}

/** Walls of this machine, as starters of processes take them. */
export const wallsOf = ({ walls }: SandboxCapabilities): Set<Wall> =>
  new Set([...wallsOfThisUser()].filter((wall) => walls.includes(WALLS[wall])))

/** Reason why strict mode runs no code of components; null where it does. */
export const closedToCode = (capabilities: SandboxCapabilities): string | null =>
  closed(capabilities, (wall) => !OPTIONAL.has(wall))

/** Likewise the programs of `command` steps. */
export const closedToCommands = (capabilities: SandboxCapabilities): string | null =>
  closed(capabilities, (wall) => COMMAND_WALLS.has(wall))

function closed({ mode, missing }: SandboxCapabilities, counts: (wall: Wall) => boolean) {
  const needed = new Set<string>([...wallsOfThisUser()].filter(counts).map((wall) => WALLS[wall]))
  const lacking = missing.filter(({ wall }) => needed.has(wall))
  return mode === 'strict' && lacking.length > 0 ? listOfWalls(lacking) : null
}

export const listOfWalls = (missing: readonly MissingWall[]): string =>
  missing.map(({ wall, reason }) => `${wall} (${reason})`).join(', ')

/**
 * Starts Node once as every run is going to, and again without each wall that cannot be had. Takes some 20 ms, and as long
 * again for each of them.
 */
export async function detectCapabilities(mode: SandboxMode): Promise<SandboxCapabilities> {
  const walls = wallsOfThisUser()
  const missing: MissingWall[] = []
  const leave = (wall: Wall, reason: string) => {
    walls.delete(wall)
    missing.push({ wall: WALLS[wall], reason })
  }
  for (let fault = await faultOf(walls); fault && walls.size > 0; fault = await faultOf(walls)) {
    const refused = await refusedWall(fault, walls)
    // Without any one culprit, as without Perl, there are no walls.
    for (const wall of refused ? [refused] : [...walls])
      leave(wall, fault.replace(/^walls: \w+: /, ''))
  }
  return {
    mode,
    walls: Object.values(WALLS).filter((name) => !missing.some(({ wall }) => wall === name)),
    missing,
    resources: existsSync('/proc/self/statm') ? 'WATCHED' : 'KERNEL_ONLY',
  }
}

/** A wall may also stand and keep Node itself from starting behind it. */
async function refusedWall(fault: string, walls: ReadonlySet<Wall>): Promise<Wall | null> {
  const named = /^walls: (\w+): /.exec(fault)?.[1]
  for (const wall of walls) if (wall === named) return wall
  for (const wall of walls) {
    const others = new Set([...walls].filter((each) => each !== wall))
    if ((await faultOf(others)) === null) return wall
  }
  return null
}

async function faultOf(walls: ReadonlySet<Wall>): Promise<string | null> {
  try {
    const [program = '', ...args] = behindWalls(walls, DEFAULT_LIMITS, ['--version'])
    await promisify(execFile)(program, args, {
      env: {},
      cwd: '/',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    })
    return null
  } catch (error) {
    const { message, stderr = '' } = error as { message: string; stderr?: string } // as execFile rejects
    return (stderr.trim() || message).split('\n', 1)[0] ?? ''
  }
}
