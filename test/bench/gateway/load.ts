import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Loaded {
  requests: number
  seconds: number
  /** Of all answers, with their headers. */
  bytes: number
  /** In milliseconds. */
  p99: number
  failed: number
}

/** Times as many as connections: two requests of one caller are never on their way at once. */
const CALLERS = 4

/** The callers: without a sign-in, with a different header each, or with one of these tokens each. */
export type Callers = 'alike' | 'different' | readonly string[]

/** Posts a body for some seconds. wrk (of Debian) costs a tenth of what a generator in JavaScript does on the same core. */
export async function load(
  url: string,
  body: string,
  seconds: number,
  callers: Callers,
  connections: number,
): Promise<Loaded> {
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout=30s',
    '-s',
    join(import.meta.dirname, 'load.lua'),
  ]
  const { stdout } = await promisify(execFile)('wrk', [...args, url], {
    env: {
      ...process.env,
      BODY: body,
      TOKENS: tokensOf(callers, connections).join(' '),
    },
  })
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{"requests"'))) as Loaded
}

function tokensOf(callers: Callers, connections: number): readonly string[] {
  if (typeof callers === 'object') return callers
  const count = callers === 'different' ? CALLERS * connections : 0
  return Array.from({ length: count }, (_, caller) => String(caller + 1))
}

/** It prints its version and fails for want of an address. @throws where it is not installed */
export function loadVersion(): string {
  try {
    return execFileSync('wrk', ['-v'], { encoding: 'utf8' })
  } catch (error) {
    const { stdout = '', code } = error as { stdout?: string; code?: string }
    if (code === 'ENOENT') throw new Error('wrk is missing: apt-get install wrk')
    return stdout.split('\n', 1)[0]?.split(' [')[0] ?? ''
  }
}
