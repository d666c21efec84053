import { readdirSync, readFileSync } from 'node:fs'
import { createOutbound } from '../../../platform/outbound/outbound.ts'
import { startEvaluation } from '../../../runner/evaluation/evaluation.ts'
import type { RunLimits } from '../../../runner/run/limits.ts'
import {
  type RunOptions,
  type RunOutcome,
  type RunUpdate,
  runScenario,
  type ScenarioRun,
} from '../../../runner/run/run-scenario.ts'
import {
  detectCapabilities,
  type SandboxCapabilities,
  type SandboxMode,
} from '../../../runner/sandbox/capabilities.ts'
import { createSandbox, type Sandbox } from '../../../runner/sandbox/sandbox.ts'
import { DEFAULT_LIMITS, type SandboxLimits } from '../../../runner/sandbox/sandbox-limits.ts'
import { type Scenario, scenarioFaults } from '../../../runner/scenario/scenario.ts'

import { IN_USE } from '../../support/assay.ts'

/**
 * On every command line of this process's children, so that a survivor is found whoever its parent is now. More than the
 * default, which the product's own have, and never that of the worker of Jest beside this one.
 */
export const MARK =
  DEFAULT_LIMITS.heapMebibytes +
  1 +
  2 * (process.pid % 174) +
  (Number(process.env.JEST_WORKER_ID ?? 0) % 2)

const TAKEN = ['user', 'mount', 'network', 'PID', 'IPC', 'UTS'].map((name) => `${name} namespace`)

/** A machine without namespaces, as most containers are. */
export const withoutNamespaces = async (mode: SandboxMode): Promise<SandboxCapabilities> => {
  const { walls, ...rest } = await detectCapabilities(mode)
  const missing = TAKEN.map((wall) => ({ wall, reason: 'taken away by the test' }))
  return { ...rest, walls: walls.filter((wall) => !TAKEN.includes(wall)), missing }
}

/** Both modes where they differ most: all walls of the kernel, and none of its namespaces. */
export const MODES: [SandboxMode, (limits?: Partial<SandboxLimits>) => Promise<Sandbox>][] = [
  ['strict', (limits) => createSandbox({ mode: 'strict', limits: marked(limits), ready: 1 })],
  [
    'best-effort',
    (limits) =>
      createSandbox({
        mode: 'best-effort',
        limits: marked(limits),
        detect: withoutNamespaces,
        ready: 1,
      }),
  ],
]

const marked = (limits: Partial<SandboxLimits> = {}) => ({ heapMebibytes: MARK, ...limits })

/** Reaches this machine, as a product that nobody else can use may. */
const outbound = createOutbound({ allow: ['127.0.0.0/8'], ownPorts: [] })

/** Its threads end by themselves, and keep no process alive. */
const evaluation = startEvaluation(2_000)

export interface Given
  extends Partial<Pick<ScenarioRun, 'components' | 'scenarios' | 'environment'>> {
  sandbox: Sandbox
  source: string
  language?: 'JAVASCRIPT' | 'TYPESCRIPT'
  scenario?: unknown
  signal?: AbortSignal
  teardown?: RunOptions['teardown']
  useCodeCoverage?: boolean
  onUpdate?(update: RunUpdate): void
  credentials?: { userId: string; password: string }
  limits?: Partial<RunLimits>
  /** Default: true. */
  commandSteps?: boolean
  caller?: string
}

/** Runs one component; without a scenario, one call of its function `f` that must return 42. */
export function run({
  source,
  language = 'JAVASCRIPT',
  scenario = CALL_F,
  ...given
}: Given): Promise<RunOutcome> {
  const { signal = new AbortController().signal, onUpdate = () => {}, ...more } = given
  const { sandbox, limits = {}, commandSteps = true, caller = 'user', teardown, ...rest } = more
  return runScenario(
    {
      executionId: 'e1',
      contextId: 'c1',
      caller,
      name: 'Scenario',
      component: { name: 'Component', language, sourceCode: source },
      useCodeCoverage: true,
      ...rest,
      scenario: valid(scenario),
    },
    { sandbox, signal, teardown, onUpdate, outbound, evaluation, limits, commandSteps },
  )
}

/** @throws Error with the faults of a scenario that the product would refuse */
function valid(scenario: unknown): Scenario {
  const faults = scenarioFaults(scenario)
  if (faults.length > 0) throw new Error(faults.join('\n'))
  return scenario as Scenario // it has no faults
}

export const CALL_F = {
  steps: [
    {
      id: 'f',
      call: { function: 'f' },
      timeoutMs: 60_000,
      expect: [{ assert: 'equals', value: 42 }],
    },
  ],
}

/** Processes of this test file that hold a component and are still alive. */
export const survivors = (): string[] =>
  sandboxed().filter((pid) => commandOf(pid).startsWith(IN_USE))

/** Likewise, with those that are merely ready. */
export const sandboxed = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    const words = commandOf(pid).split(/[\0 ]/)
    // Other processes of the product have limits of memory, too.
    return words.includes('--permission') && words.includes(`--max-old-space-size=${MARK}`)
  })

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
