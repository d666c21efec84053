import { ID } from './id.ts'
import type { StepKind } from './step-kind.ts'

export interface ScenarioSettings {
  id: string
  /** In place of the scenario's own ones of the same name. */
  variables?: Record<string, unknown>
}

/** Runs another scenario in the same environment; the result is what its steps captured. */
export const scenario: StepKind<ScenarioSettings> = {
  schema: {
    type: 'object',
    description: 'Runs another scenario; the result is what it captured.',
    additionalProperties: false,
    required: ['id'],
    properties: { id: ID, variables: { type: 'object' } },
  },
  defaultTimeoutMs: null,
  runner: null,
  references: ({ id }) => ({ scenario: id }),
  async run({ id, variables = {} }, { runScenario }) {
    const { captured, ...nested } = await runScenario(id, variables)
    return { result: captured, nested }
  },
}
