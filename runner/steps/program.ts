import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { RunError } from '../run/error.ts'
import { sizeOfLog } from '../sandbox/sandbox-limits.ts'
import { commandBehindWalls, type ProgramWalls } from '../sandbox/walls.ts'

export interface Program {
  program: string
  args: readonly string[]
  /** All of its environment. */
  env: Readonly<Record<string, string>>
  folder: string
  stdin: string
  behind: ProgramWalls
}

export interface ProgramEnd {
  /** Null when it was ended. */
  exitCode: number | null
  endedBy: NodeJS.Signals | null
  /** True if it was ended for writing too much. */
  tooMuch: boolean
  stdout: string
  stderr: string
}

/** Bytes of both streams together, as the limits of log text count them. */
export const MAX_OUTPUT_BYTES = 1024 * 1024
/** Time for late output, after the program has ended and its group was killed. */
const LATE_OUTPUT_MS = 1_000

/**
 * Runs a program to its end. With a PID namespace nothing that it started survives it; without one, nothing that stayed
 * in its process group.
 * @param onLine gets each line as soon as it is there
 * @throws the reason of the signal; RunError MEMORY_LIMIT; what keeps the program from being started
 */
export async function runProgram(
  { program, args, env, folder, stdin, behind }: Program,
  onLine: (stream: 'stdout' | 'stderr', line: string) => void,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  signal.throwIfAborted()
  const hasWalls = behind.walls.size > 0
  const command = commandBehindWalls(behind, folder, [program, ...args])
  const child = start(command, env, folder, hasWalls)
  const end = ended(child)
  if (child.pid === undefined) await end // rejects: without file descriptors it has no streams
  if (hasWalls) giveEnvironment(child, env)
  const kill = () => killGroup(child)
  signal.addEventListener('abort', kill, { once: true })
  const output = { stdout: '', stderr: '' }
  let bytes = 0
  let tooMuch = false
  const collect = (stream: 'stdout' | 'stderr') => {
    const decoder = new StringDecoder('utf8')
    let rest = ''
    const take = (text: string) => {
      output[stream] += text
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(stream, line)
    }
    child[stream].on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk)
      bytes += sizeOfLog(text)
      if (bytes > MAX_OUTPUT_BYTES) {
        tooMuch = true
        kill()
      } else take(text)
    })
    return () => {
      take(decoder.end())
      if (rest !== '') onLine(stream, rest)
    }
  }
  const flush = [collect('stdout'), collect('stderr')]
  child.stdin.on('error', () => {}) // it need not read what it is given
  child.stdin.end(stdin)
  try {
    const [exitCode, endedBy] = await end
    for (const each of flush) each()
    signal.throwIfAborted()
    if (hasWalls && exitCode === 125) throwFaultOf(output.stderr, program, behind)
    return { exitCode: tooMuch ? null : exitCode, endedBy, tooMuch, ...output }
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

/** Throws the reason from the last line of the program that puts up the walls. A program that writes the same says it of itself alone. */
function throwFaultOf(stderr: string, program: string, { limits }: ProgramWalls): void {
  const [, wall, fault] = /(?:^|\n)walls: (\w+): (.*)\n$/.exec(stderr) ?? []
  if (wall === 'memory') {
    const message = `${program} and what it started used more than ${limits.memoryMebibytes} MiB of memory (COMMAND_MEMORY_MIB). Let them use less, or ask the operator for more`
    throw new RunError('MEMORY_LIMIT', message)
  }
  if (wall) throw new Error(`${wall}: ${fault}`)
}

function start(
  [file = '', ...args]: readonly string[],
  env: Program['env'],
  folder: string,
  hasWalls: boolean,
) {
  const options = { cwd: folder, detached: true }
  if (!hasWalls) return spawn(file, args, { ...options, env, stdio: ['pipe', 'pipe', 'pipe'] })
  // Not the environment of what puts up the walls: that one may still be root, and variables could change what it does.
  const stdio = ['pipe', 'pipe', 'pipe', 'pipe'] as const
  return spawn(file, args, { ...options, env: {}, stdio: [...stdio] })
}

/** Gives the environment of the program to the one that puts up the walls. */
function giveEnvironment(child: ChildProcess, env: Program['env']): void {
  const pipe = child.stdio[3] as Writable // it is one by `stdio`
  pipe.on('error', () => {}) // it ended before it read
  pipe.end(
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\0`)
      .join(''),
  )
}

/** With the program its child processes end, so that no reader waits for their output. */
const ended = (child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      killGroup(child)
      // Without a PID namespace, one that left the group could hold the streams open for ever.
      const late = setTimeout(() => resolve([code, signal]), LATE_OUTPUT_MS)
      child.once('close', () => {
        clearTimeout(late)
        resolve([code, signal])
      })
    })
  })

/** Kills a detached child with its process group, which holds whatever it may have started. Twice is harmless. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL')
  } catch {
    // already gone
  }
}
