import { RunError } from '../run-error.ts'
import { detectCapabilities, type SandboxCapabilities, type SandboxMode } from './capabilities.ts'
import { type ComponentProcess, controlProcess, type ProcessListener } from './component-process.ts'
import { launch } from './launch.ts'
import { DEFAULT_LIMITS, type SandboxLimits } from './limits.ts'
import { ReadyProcesses } from './ready-processes.ts'

export type { SandboxCapabilities, SandboxMode } from './capabilities.ts'

/** Starts processes that run code nobody has to trust. */
export interface Sandbox {
  readonly capabilities: SandboxCapabilities
  readonly limits: SandboxLimits
  /** In strict mode, where a wall is missing, nothing starts: every use of the process is SANDBOX_UNAVAILABLE. */
  start(listener: ProcessListener): ComponentProcess
  /** Starts the processes that are to be ready before anybody asks. Otherwise the first `start` does. */
  prepare(): void
  /** Kills the processes that nobody used. */
  stop(): Promise<void>
}

export interface SandboxOptions {
  mode: SandboxMode
  limits?: Partial<SandboxLimits>
  /** Processes that are started in advance; 0 if absent. */
  ready?: number
  /** What the machine can do; found out when absent. */
  detect?(mode: SandboxMode): Promise<SandboxCapabilities>
}

/** Finds out once what the machine offers; `strict` then refuses to run code without all of it. */
export async function createSandbox({
  mode,
  limits: given = {},
  ready = 0,
  detect = detectCapabilities,
}: SandboxOptions): Promise<Sandbox> {
  const capabilities = await detect(mode)
  const limits = { ...DEFAULT_LIMITS, ...given }
  const isClosed = mode === 'strict' && capabilities.missing !== null
  const processes = new ReadyProcesses(() => launch(capabilities, limits), isClosed ? 0 : ready)
  return {
    capabilities,
    limits,
    start(listener) {
      if (isClosed)
        return refuse(`This machine cannot run code in strict mode: ${capabilities.missing}`)
      return controlProcess(processes.take(), limits, listener)
    },
    prepare: () => processes.fill(),
    stop: () => processes.stop(),
  }
}

function refuse(message: string): ComponentProcess {
  const use = () => Promise.reject(new RunError('SANDBOX_UNAVAILABLE', message))
  return { load: use, call: use, hasEnded: () => false, stop: async () => {} }
}
