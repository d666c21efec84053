import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isFiltered, systemCallFilter } from './filter.ts'
import type { ProgramLimits, SandboxLimits } from './sandbox-limits.ts'

/** Between code and the machine, in the order in which they are put up. docs/internals/walls.md says what each one holds. */
export const WALLS = {
  uid: 'unprivileged user',
  user: 'user namespace',
  mount: 'mount namespace',
  net: 'network namespace',
  pid: 'PID namespace',
  ipc: 'IPC namespace',
  uts: 'UTS namespace',
  limits: 'limits',
  caps: 'no capabilities',
  nnp: 'no new privileges',
  filter: 'system-call filter',
} as const

export type Wall = keyof typeof WALLS

/** Without it the others hold as well, and not every system has it. */
export const OPTIONAL: ReadonlySet<Wall> = new Set(['filter'])

/** Around programs of the machine: they see its files and its network, but outlive nothing and gain nothing. */
export const COMMAND_WALLS: ReadonlySet<Wall> = new Set([
  'uid',
  'user',
  'mount',
  'pid',
  'ipc',
  'limits',
  'nnp',
] as const)

/** Those that stand around the programs of a worker, and their limits. */
export interface ProgramWalls {
  walls: ReadonlySet<Wall>
  limits: ProgramLimits
  /** Files and folders that they do not see. */
  hidden: readonly string[]
}

/** Program that puts them up. */
const PROGRAM = ['perl', fileURLToPath(new URL('./walls.pl', import.meta.url))]

/**
 * Owners of components, and of programs, where the worker is root: users that have no name, no file and no other process.
 * Not `nobody`, as the embedded database may be theirs.
 */
const COMPONENT_USER = 65_533
const COMMAND_USER = 65_532

/** Whoever starts the command appends its process id: with that process the program ends. */
export const STARTER = 'parent='

/** Path of the runtime in the empty root. */
const NODE_INSIDE = '/node'

/** RLIMIT_*, as Linux numbers them. */
const LIMIT = { cpu: 0, fileSize: 1, data: 2, core: 4, processes: 6, files: 7 }

/** The worker and other runs go first: beside a fork bomb without it, a component takes 10 s to start. */
const PROGRAM_NICE = 10

const mebibytes = (count: number) => count * 1024 * 1024

/**
 * The command of Node with the given arguments behind those walls, as it is to be started with an empty environment.
 * With none of them it is Node itself.
 */
export function behindWalls(
  walls: ReadonlySet<Wall>,
  limits: SandboxLimits,
  args: readonly string[],
): string[] {
  if (walls.size === 0) return [process.execPath, ...args]
  const { cpuSeconds, dataMebibytes, fileBytes, openFiles, threads } = limits
  const values: Record<Wall, readonly string[]> = {
    ...valuesFor(COMPONENT_USER, COMPONENT_USER),
    user: [`user=${COMPONENT_USER}`, 'nested=none'],
    mount: ['mount=empty', ...runtimeFiles()],
    limits: [
      // The worker ends a process with a reason before the kernel ends it without one.
      `limit=${LIMIT.cpu}=${cpuSeconds + 5}`,
      `limit=${LIMIT.fileSize}=${fileBytes}`,
      `limit=${LIMIT.data}=${mebibytes(dataMebibytes)}`,
      `limit=${LIMIT.core}=0`,
      ...processLimit(walls, threads),
      `limit=${LIMIT.files}=${openFiles}`,
    ],
    filter: isFiltered(process.arch)
      ? [`filter=${systemCallFilter(process.arch).toString('hex')}`]
      : ['filter='],
  }
  const node = walls.has('mount') ? NODE_INSIDE : process.execPath
  return [...command(walls, values), STARTER, '--', node, ...args]
}

/** Likewise of any program of the machine, in a folder that the user of `commandUser` owns. */
export function commandBehindWalls(
  { walls, limits, hidden }: ProgramWalls,
  folder: string,
  program: readonly string[],
): string[] {
  if (walls.size === 0) return [...program]
  const { processes, openFiles, fileMebibytes, memoryMebibytes } = limits
  const user = process.getuid?.() || COMMAND_USER
  const values = {
    ...valuesFor(COMMAND_USER, user),
    // All but the first of these take rights that an own user namespace gives.
    mount: [
      'mount=shared',
      ...hidden.map((path) => `hide=${path}`),
      ...(walls.has('user')
        ? ['proc=1', 'nested=chroot', `shm=size=${mebibytes(memoryMebibytes)}`]
        : []),
    ],
    limits: [
      `limit=${LIMIT.fileSize}=${mebibytes(fileMebibytes)}`,
      `limit=${LIMIT.core}=0`,
      ...processLimit(walls, processes),
      `limit=${LIMIT.files}=${openFiles}`,
      ...(walls.has('pid') ? [`memory=${memoryMebibytes}`] : []),
      `nice=${PROGRAM_NICE}`,
    ],
  }
  const start = [`${STARTER}${process.pid}`, `folder=${folder}`, 'environment=3']
  return [...command(walls, values), ...start, '--', ...program]
}

/** User that has to own files of programs; null where that is the user of this process. */
export const commandUser = (): number | null => (isRoot() ? COMMAND_USER : null)

/** The walls that a process of this user can have: only root has a user to change to. */
export const wallsOfThisUser = (): Set<Wall> => {
  const walls = new Set(Object.keys(WALLS) as Wall[]) // the keys of that very object
  if (!isRoot()) walls.delete('uid')
  return walls
}

const isRoot = () => process.getuid?.() === 0

/** Without a user namespace it would count those of all runs, or of the worker's user. */
const processLimit = (walls: ReadonlySet<Wall>, count: number) =>
  walls.has('user') ? [`limit=${LIMIT.processes}=${count}`] : []

const valuesFor = (outside: number, inside: number): Record<Wall, readonly string[]> => ({
  uid: [`uid=${outside}`],
  user: [`user=${inside}`],
  mount: ['mount=shared'],
  net: ['net=1'],
  pid: ['pid=1'],
  ipc: ['ipc=1'],
  uts: ['uts=1'],
  limits: [],
  caps: ['caps=1'],
  nnp: ['nnp=1'],
  filter: [],
})

function command(walls: ReadonlySet<Wall>, values: Record<Wall, readonly string[]>): string[] {
  const given = Object.entries(values).flatMap(([wall, value]) =>
    walls.has(wall as Wall) ? value : [],
  )
  return [...PROGRAM, `arch=${process.arch}`, ...given]
}

let files: string[] | null = null

/** The binary and the libraries that the loader finds for it; the loader itself is among them. */
function runtimeFiles(): string[] {
  files ??= [
    `bind=${NODE_INSIDE}=${process.execPath}`,
    ...execFileSync(process.execPath, ['--version'], {
      env: { LD_TRACE_LOADED_OBJECTS: '1' },
      encoding: 'utf8',
    })
      .split('\n')
      .flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? [])
      .map((path) => `bind=${path}=${path}`),
  ]
  return files
}
