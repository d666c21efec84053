import type { SchemaObject } from 'ajv'
import type { ComponentProcess } from './sandbox/component-process.ts'

/** What a step may use while it runs. */
export interface StepContext {
  /** Aborted on timeout and on cancel; its reason is a `RunError`. */
  signal: AbortSignal
  /** The process that holds the component; the same for every step of a scenario. */
  component: Pick<ComponentProcess, 'call'> | null
}

/** One kind of step: how its settings look, and how it runs. What `run` returns is what expectations look at. */
export interface StepKind<Settings> {
  schema: SchemaObject
  /** Applied where the step names no `timeoutMs`; null leaves it to the scenario's limit. */
  defaultTimeoutMs: number | null
  /** Whether the scenario's component has to be loaded for it. */
  needsComponent: boolean
  /** @throws RunError for everything that makes the step ERROR */
  run(settings: Settings, context: StepContext): Promise<unknown>
}
