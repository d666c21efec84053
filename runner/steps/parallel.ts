import type { Step } from '../scenario/step.ts'
import type { StepKind } from './step-kind.ts'

export interface ParallelSettings {
  steps: Step[]
  maxParallel?: number
}

/** Runs steps at the same time; all of them run to their end. It has no result. */
export const parallel: StepKind<ParallelSettings> = {
  schema: {
    type: 'object',
    description: 'Runs steps at the same time.',
    additionalProperties: false,
    required: ['steps'],
    properties: {
      steps: { type: 'array', minItems: 1, maxItems: 100, items: { $ref: '#/$defs/step' } },
      maxParallel: { type: 'integer', minimum: 1, maximum: 100 },
    },
  },
  defaultTimeoutMs: null,
  runner: null,
  steps: ({ steps }) => steps,
  run: async ({ steps, maxParallel = 10 }, { runSteps }) => ({
    result: undefined,
    nested: await runSteps(steps, maxParallel),
  }),
}
