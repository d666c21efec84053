import { setTimeout } from 'node:timers/promises'
import type { StepKind } from './step-kind.ts'

export interface WaitSettings {
  ms: number
}

/** Lets time pass; the component's own timers keep running meanwhile. */
export const wait: StepKind<WaitSettings> = {
  schema: {
    type: 'object',
    description: 'Waits.',
    additionalProperties: false,
    required: ['ms'],
    properties: { ms: { type: 'integer', minimum: 0, maximum: 3_600_000 } },
  },
  defaultTimeoutMs: null,
  runner: null,
  run: async ({ ms }, { signal }) => ({ result: await setTimeout(ms, undefined, { signal }) }),
}
