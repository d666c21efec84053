import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Loaded {
  requests: number
  seconds: number
  /** Bytes of all responses, with their headers. */
  bytes: number
  /** In milliseconds. */
  p99: number
  failed: number
}

export interface Load {
  url: string
  connections: number
  seconds: number
  /** Variables of wrk.lua: BODY, PAUSE with SEED, and either TOKENS or EVENTS, FIRST and FINGERPRINTS. */
  env: Readonly<Record<string, string>>
}

/** Posts for some seconds. wrk (of Debian) costs a tenth of what a generator in JavaScript does on the same core. */
export async function runWrk({ url, connections, seconds, env }: Load): Promise<Loaded> {
  const script = join(import.meta.dirname, 'wrk.lua')
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout=30s', '-s', script]
  const { stdout } = await promisify(execFile)('wrk', [...options, url], {
    env: { ...process.env, ...env },
  })
  return JSON.parse(stdout.slice(stdout.lastIndexOf('{"requests"'))) as Loaded
}

/** It prints its version and fails for want of an address. @throws where it is not installed */
export function wrkVersion(): string {
  try {
    return execFileSync('wrk', ['-v'], { encoding: 'utf8' })
  } catch (error) {
    const { stdout = '', code } = error as { stdout?: string; code?: string }
    if (code === 'ENOENT') throw new Error('wrk is missing: apt-get install wrk')
    return stdout.split('\n', 1)[0]?.split(' [')[0] ?? ''
  }
}
