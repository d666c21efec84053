import { RunError } from '../run-error.ts'
import { detectCapabilities, type SandboxCapabilities, type SandboxMode } from './capabilities.ts'
import { type ComponentProcess, controlProcess, type ProcessListener } from './component-process.ts'
import { launch } from './launch.ts'
import { DEFAULT_LIMITS, type SandboxLimits } from './limits.ts'

export type { SandboxCapabilities, SandboxMode } from './capabilities.ts'

/** Starts processes that run code nobody has to trust. */
export interface Sandbox {
  readonly capabilities: SandboxCapabilities
  readonly limits: SandboxLimits
  /** In strict mode, where a wall is missing, nothing starts: every use of the process is SANDBOX_UNAVAILABLE. */
  start(listener: ProcessListener): ComponentProcess
}

export interface SandboxOptions {
  mode: SandboxMode
  limits?: Partial<SandboxLimits>
  /** What the machine can do; found out when absent. */
  detect?(mode: SandboxMode): Promise<SandboxCapabilities>
}

/** Finds out once what the machine offers; `strict` then refuses to run code without all of it. */
export async function createSandbox({
  mode,
  limits: given = {},
  detect = detectCapabilities,
}: SandboxOptions): Promise<Sandbox> {
  const capabilities = await detect(mode)
  const limits = { ...DEFAULT_LIMITS, ...given }
  return {
    capabilities,
    limits,
    start(listener) {
      if (mode === 'strict' && capabilities.missing !== null) {
        return refuse(`This machine cannot run code in strict mode: ${capabilities.missing}`)
      }
      return controlProcess(launch(capabilities, limits), limits, listener)
    },
  }
}

function refuse(message: string): ComponentProcess {
  const use = () => Promise.reject(new RunError('SANDBOX_UNAVAILABLE', message))
  return { load: use, call: use, stop: async () => {} }
}
