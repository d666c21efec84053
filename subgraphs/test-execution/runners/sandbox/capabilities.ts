import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

export type SandboxMode = 'strict' | 'best-effort'

/** What this machine lets the sandbox do; shown in the health answer and with every result. */
export interface SandboxCapabilities {
  mode: SandboxMode
  /** KERNEL: a network namespace of its own, without interfaces. RUNTIME: only the JavaScript layer refuses. */
  network: 'KERNEL' | 'RUNTIME'
  /** OWN: a process namespace, so that nothing outside has a number that could be signalled. */
  processes: 'OWN' | 'SHARED'
  /** Whether the kernel kills the child when its worker dies. */
  diesWithWorker: boolean
  /** WATCHED: resident memory and processor time are read while code runs. KERNEL_ONLY: no /proc to read. */
  resources: 'WATCHED' | 'KERNEL_ONLY'
  /** Why code is refused (strict) or isolated less (best-effort); null where nothing is missing. */
  missing: string | null
}

export const NAMESPACES = [
  ...['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--'],
]
export const PRIVILEGES = ['setpriv', '--no-new-privs', '--pdeathsig', 'KILL', '--']

/** Tries once what the sandbox is going to do for every run. Takes some 10 ms. */
export async function detectCapabilities(mode: SandboxMode): Promise<SandboxCapabilities> {
  const [namespaces, privileges] = await Promise.all([fault(NAMESPACES), fault(PRIVILEGES)])
  return {
    mode,
    network: namespaces === null ? 'KERNEL' : 'RUNTIME',
    processes: namespaces === null ? 'OWN' : 'SHARED',
    diesWithWorker: privileges === null,
    resources: existsSync('/proc/self/statm') ? 'WATCHED' : 'KERNEL_ONLY',
    missing: namespaces && `no user, network and process namespaces: ${namespaces}`,
  }
}

/** Runs node itself under the prefix: some kernels grant the namespaces and then refuse the program. Unshare ignores SIGTERM. */
async function fault(prefix: readonly string[]): Promise<string | null> {
  const [program = '', ...args] = [...prefix, process.execPath, '--version']
  try {
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
