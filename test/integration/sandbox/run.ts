import { readdirSync, readFileSync } from 'node:fs'
import {
  type RunOutcome,
  type RunUpdate,
  runScenario,
} from '../../../subgraphs/test-execution/runners/run-scenario.ts'
import {
  detectCapabilities,
  type SandboxCapabilities,
  type SandboxMode,
} from '../../../subgraphs/test-execution/runners/sandbox/capabilities.ts'
import type { SandboxLimits } from '../../../subgraphs/test-execution/runners/sandbox/limits.ts'
import {
  createSandbox,
  type Sandbox,
} from '../../../subgraphs/test-execution/runners/sandbox/sandbox.ts'
import { validateScenario } from '../../../subgraphs/test-execution/runners/scenario.ts'

/** On every command line of this process's children, so that a survivor is found whoever its parent is now. */
export const MARK = 90 + (process.pid % 397)

/** A machine without namespaces, as most containers are. */
export const withoutNamespaces = async (mode: SandboxMode): Promise<SandboxCapabilities> => ({
  ...(await detectCapabilities(mode)),
  network: 'RUNTIME',
  processes: 'SHARED',
  missing: 'no user, network and process namespaces: taken away by the test',
})

/** Both modes where they differ most: all walls of the kernel, and none of its namespaces. */
export const MODES: [SandboxMode, (limits?: Partial<SandboxLimits>) => Promise<Sandbox>][] = [
  ['strict', (limits) => createSandbox({ mode: 'strict', limits: marked(limits) })],
  [
    'best-effort',
    (limits) =>
      createSandbox({ mode: 'best-effort', limits: marked(limits), detect: withoutNamespaces }),
  ],
]

const marked = (limits: Partial<SandboxLimits> = {}) => ({ heapMebibytes: MARK, ...limits })

export interface Given {
  sandbox: Sandbox
  source: string
  language?: 'JAVASCRIPT' | 'TYPESCRIPT'
  scenario?: unknown
  signal?: AbortSignal
  useCodeCoverage?: boolean
  onUpdate?(update: RunUpdate): void
  credentials?: { userId: string; password: string }
}

/** Runs one component; without a scenario, one call of its function `f` that must return 42. */
export function run({
  source,
  language = 'JAVASCRIPT',
  scenario = CALL_F,
  ...given
}: Given): Promise<RunOutcome> {
  const { sandbox, signal = new AbortController().signal, onUpdate = () => {}, ...rest } = given
  return runScenario(
    {
      executionId: 'e1',
      contextId: 'c1',
      name: 'Scenario',
      component: { name: 'Component', language, sourceCode: source },
      useCodeCoverage: true,
      ...rest,
      scenario: validateScenario(scenario),
    },
    { sandbox, signal, onUpdate },
  )
}

export const CALL_F = {
  steps: [
    {
      id: 'f',
      call: { function: 'f' },
      timeoutMs: 10_000,
      expect: [{ assert: 'equals', value: 42 }],
    },
  ],
}

/** Sandboxed processes of this test file that are still alive. */
export function survivors(): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isSandboxed(pid))
}

function isSandboxed(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`--max-old-space-size=${MARK}\0`)
  } catch {
    return false
  }
}
