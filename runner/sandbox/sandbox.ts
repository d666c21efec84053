import { RunError } from '../run/error.ts'
import {
  closedToCode,
  closedToCommands,
  detectCapabilities,
  type SandboxCapabilities,
  type SandboxMode,
  wallsOf,
} from './capabilities.ts'
import { sandboxCommand } from './command.ts'
import {
  type ComponentProcess,
  ControlledProcess,
  type ProcessListener,
} from './component-process.ts'
import { KeptProcesses } from './kept-processes.ts'
import { createLauncher, type SandboxedChild } from './launcher.ts'
import { ReadyProcesses } from './ready-processes.ts'
import {
  DEFAULT_LIMITS,
  DEFAULT_PROGRAM_LIMITS,
  type ProgramLimits,
  type SandboxLimits,
} from './sandbox-limits.ts'
import { COMMAND_WALLS, type ProgramWalls } from './walls.ts'

export type { SandboxCapabilities, SandboxMode } from './capabilities.ts'

/** Starts processes that run untrusted code. */
export interface Sandbox {
  readonly capabilities: SandboxCapabilities
  readonly limits: SandboxLimits
  /**
   * In strict mode, where a wall is missing, nothing starts: every use of the process is SANDBOX_UNAVAILABLE.
   * @param key runs of the same key may share a process one after the other; null for a process of its own
   */
  start(listener: ProcessListener, key: string | null): ComponentProcess
  /** Walls between the machine and a program of it. @throws RunError SANDBOX_UNAVAILABLE in strict mode */
  commandWalls(): ProgramWalls
  /** Number of processes that are started in advance and unused. */
  readyProcesses(): number
  /** Starts the ready processes in advance. Otherwise the first `start` does. */
  prepare(): void
  /** Kills the processes that wait. */
  stop(): Promise<void>
}

export interface SandboxOptions {
  mode: SandboxMode
  limits?: Partial<SandboxLimits>
  programLimits?: Partial<ProgramLimits>
  /** Files and folders that programs do not see; none if absent. */
  hidden?: readonly string[] | undefined
  /** Processes that are started in advance; 0 if absent. */
  ready?: number
  /** SANDBOX_REUSE; on if absent. */
  reuse?: boolean
  /** Detects the abilities of the machine; the default asks the machine. */
  detect?(mode: SandboxMode): Promise<SandboxCapabilities>
}

/** Finds out once what the machine offers; `strict` then refuses to run code without all of it. */
export async function createSandbox({
  mode,
  limits: given = {},
  programLimits = {},
  hidden = [],
  ready = 0,
  reuse = true,
  detect = detectCapabilities,
}: SandboxOptions): Promise<Sandbox> {
  const capabilities = await detect(mode)
  const limits = { ...DEFAULT_LIMITS, ...given }
  const closed = closedToCode(capabilities)
  const command = sandboxCommand(capabilities, limits)
  const commandWalls = {
    walls: new Set([...wallsOf(capabilities)].filter((wall) => COMMAND_WALLS.has(wall))),
    limits: { ...DEFAULT_PROGRAM_LIMITS, ...programLimits },
    hidden,
  }
  const launcher = createLauncher()
  const processes = new ReadyProcesses(() => launcher.launch(command), closed ? 0 : ready)
  const kept = new KeptProcesses(limits)
  return {
    capabilities,
    limits,
    start(listener, given) {
      if (closed) return refuse(`This machine cannot run code in strict mode: ${closed} missing`)
      const key = reuse ? given : null
      const warm = key === null ? null : kept.take(key, listener)
      if (warm) return warm
      const begin = (child: SandboxedChild) =>
        key === null
          ? new ControlledProcess(child, limits, listener)
          : kept.begin(key, child, listener)
      return whenLaunched(processes.take().then(begin))
    },
    commandWalls() {
      const lacking = closedToCommands(capabilities)
      if (lacking === null) return commandWalls
      const reason = `This machine cannot run programs in strict mode: ${lacking} missing`
      throw new RunError('SANDBOX_UNAVAILABLE', reason)
    },
    prepare: () => processes.fill(),
    readyProcesses: () => processes.count,
    async stop() {
      await Promise.all([processes.stop(), kept.stop()])
      await launcher.stop()
    },
  }
}

/** A process that is still being started. */
function whenLaunched(launched: Promise<ComponentProcess>): ComponentProcess {
  let hasEnded = () => false
  launched.then(
    (process) => {
      hasEnded = () => process.hasEnded()
    },
    () => {
      hasEnded = () => true
    },
  )
  return {
    load: async (...load) => (await launched).load(...load),
    call: async (...call) => (await launched).call(...call),
    hasEnded: () => hasEnded(),
    stop: (isClean) => launched.then((process) => process.stop(isClean)).catch(() => {}), // it never started
  }
}

function refuse(message: string): ComponentProcess {
  const use = () => Promise.reject(new RunError('SANDBOX_UNAVAILABLE', message))
  return { load: use, call: use, hasEnded: () => false, stop: async () => {} }
}

/** Globals of the first realm of a Node process alone: none can be made in another one. */
const NAMES =
  'AbortController AbortSignal Atomics Buffer CustomEvent DOMException Event EventTarget FinalizationRegistry TextDecoder TextEncoder URL URLSearchParams WebAssembly atob btoa crypto import structuredClone'

const NEEDED = new RegExp(
  `\\b(?:${NAMES.replaceAll(' ', '|')})\\b|\\bfrom\\s*['"]|\\bperformance\\b(?!\\s*\\.\\s*now\\b)`,
)

/**
 * True if the source of a component names globals that a realm of its own cannot have. Then it gets the first realm of a process
 * that no other run uses.
 */
export const needsNode = (source: string): boolean => NEEDED.test(source)
