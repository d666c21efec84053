import { ID } from './id.ts'
import type { StepKind } from './step-kind.ts'

export interface CallSettings {
  /** Id; the component under test when absent. */
  component?: string
  function: string
  args?: unknown[]
}

/** Calls an exported function of a component; the result is what it returns or resolves to. */
export const call: StepKind<CallSettings> = {
  schema: {
    type: 'object',
    description: 'Calls an exported function of a component; the result is what it returns.',
    additionalProperties: false,
    required: ['function'],
    properties: {
      component: ID,
      function: { type: 'string', pattern: '^[\\p{ID_Start}$_][\\p{ID_Continue}$]*$' },
      args: { type: 'array', maxItems: 100 },
    },
  },
  defaultTimeoutMs: 30_000,
  runner: 'CALL',
  references: ({ component }) => (component === undefined ? {} : { component }),
  needsComponent: ({ component }) => component === undefined,
  run: async ({ component = null, function: name, args = [] }, { call }) => ({
    result: await call(component, name, args),
  }),
}
