import { NO_ENVIRONMENT, type RunEnvironment } from '../../../runner/run/environment.ts'
import type { RunOutcome } from '../../../runner/run/run-scenario.ts'

export const environment = (given: Partial<RunEnvironment>): RunEnvironment => ({
  ...NO_ENVIRONMENT,
  name: 'Stage',
  runners: ['CALL', 'HTTP', 'GRAPHQL', 'COMMAND'],
  ...given,
})

/** Path and state of each step, in the order in which they began. */
export const states = ({ steps }: RunOutcome): string[] =>
  steps.map(({ path, state }) => `${path} ${state}`)

/** A step that waits no time, with whatever else is given. */
export const pause = (id: string, extra: object = {}) => ({ id, wait: { ms: 0 }, ...extra })

/** A step that prints JSON with a program of this machine. */
export const print = (id: string, value: unknown, extra: object = {}) => ({
  id,
  command: { program: 'printf', args: ['%s', JSON.stringify(value)] },
  ...extra,
})

/** A step that runs a shell script. */
export const shell = (id: string, script: string, extra: object = {}, settings: object = {}) => ({
  id,
  command: { program: 'sh', args: ['-c', script], ...settings },
  ...extra,
})
