import { RunError } from './run-error.ts'
import type { StepKind } from './step-kind.ts'

export interface CallSettings {
  function: string
  args?: unknown[]
}

/** Calls an exported function of the component under test; the result is what it returns or resolves to. */
export const call: StepKind<CallSettings> = {
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['function'],
    properties: {
      function: { type: 'string', pattern: '^[\\p{ID_Start}$_][\\p{ID_Continue}$]*$' },
      args: { type: 'array', maxItems: 100 },
    },
  },
  defaultTimeoutMs: 30_000,
  needsComponent: true,
  run: ({ function: name, args = [] }, { component, signal }) => {
    if (!component) throw new RunError('SANDBOX_UNAVAILABLE', 'The component was not loaded')
    return component.call(name, args, signal)
  },
}
