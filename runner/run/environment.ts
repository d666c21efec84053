/** Runners that an environment can switch on and off. */
export type RunnerName = 'CALL' | 'HTTP' | 'GRAPHQL' | 'COMMAND'

/** Environment of a run, with its secrets open. It lives only as long as the run. */
export interface RunEnvironment {
  /** Null where the scenario names none. */
  name: string | null
  baseUrl: string | null
  variables: Readonly<Record<string, unknown>>
  secrets: Readonly<Record<string, string>>
  /** `host`, `host:port` or `*.domain`. */
  allowedHosts: readonly string[]
  runners: readonly RunnerName[]
}

export interface HostCredentials {
  userId: string
  password: string
}

/** Steps of a scenario without an environment reach no host. */
export const NO_ENVIRONMENT: RunEnvironment = {
  name: null,
  baseUrl: null,
  variables: {},
  secrets: {},
  allowedHosts: [],
  runners: ['CALL', 'HTTP', 'GRAPHQL'],
}

/** Why it refuses a step, and what to change. @param what such as "reach db1" @param list its attribute @param entry of that */
export const refusalOf = (
  { name }: RunEnvironment,
  what: string,
  list: 'allowedHosts' | 'runners',
  entry: string,
): string =>
  name === null
    ? `A scenario without an environment may not ${what}: set its environment to one whose ${list} have ${entry}`
    : `The environment ${name} does not let scenarios ${what}: its ${list} must have ${entry}`
