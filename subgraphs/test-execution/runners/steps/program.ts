import { type ChildProcess, spawn } from 'node:child_process'
import { StringDecoder } from 'node:string_decoder'
import { killGroup } from '../sandbox/kill-group.ts'
import { sizeOfLog } from '../sandbox/limits.ts'

export interface Program {
  program: string
  args: readonly string[]
  /** All of its environment. */
  env: Readonly<Record<string, string>>
  folder: string
  stdin: string
  /** Whether the kernel can kill it with us. */
  diesWithWorker: boolean
}

export interface ProgramEnd {
  /** Null when it was ended. */
  exitCode: number | null
  endedBy: NodeJS.Signals | null
  /** Whether it was ended for writing too much. */
  tooMuch: boolean
  stdout: string
  stderr: string
}

/** Bytes of both streams together, as the limits of log text count them. */
export const MAX_OUTPUT_BYTES = 1024 * 1024
/** How long output may still come, after the program has ended and its group was killed. */
const LATE_OUTPUT_MS = 1_000

/**
 * Runs a program to its end, in a process group of its own that nothing survives.
 * @param onLine gets each line as soon as it is there
 * @throws the reason of the signal; what keeps the program from being started
 */
export async function runProgram(
  { program, args, env, folder, stdin, diesWithWorker }: Program,
  onLine: (stream: 'stdout' | 'stderr', line: string) => void,
  signal: AbortSignal,
): Promise<ProgramEnd> {
  signal.throwIfAborted()
  const [file = '', ...rest] = [...(diesWithWorker ? DIES_WITH_US : []), program, ...args]
  const child = spawn(file, rest, { env, cwd: folder, detached: true, stdio: 'pipe' })
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
    const [exitCode, endedBy] = await ended(child)
    for (const each of flush) each()
    signal.throwIfAborted()
    const fault = NOT_STARTED.exec(output.stderr)?.[1]
    if (diesWithWorker && fault && exitCode !== null && exitCode >= 126) throw new Error(fault)
    return { exitCode: tooMuch ? null : exitCode, endedBy, tooMuch, ...output }
  } finally {
    signal.removeEventListener('abort', kill)
  }
}

const DIES_WITH_US = ['setpriv', '--pdeathsig', 'KILL', '--']
/** How that says that there is no such program. */
const NOT_STARTED = /^setpriv: (failed to execute .*)/

/** With the program end those that it left behind, so that nobody waits for their output. */
const ended = (child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      killGroup(child)
      // One that left the group could hold the streams open for ever.
      const late = setTimeout(() => resolve([code, signal]), LATE_OUTPUT_MS)
      child.once('close', () => {
        clearTimeout(late)
        resolve([code, signal])
      })
    })
  })
