/** What an environment can switch on and off. */
export type RunnerName = 'CALL' | 'HTTP' | 'GRAPHQL' | 'COMMAND'

/** Where a scenario runs, with its secrets open. It lives only as long as the run. */
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

/** What messages call it. */
export const titleOf = ({ name }: RunEnvironment): string =>
  name === null ? 'A scenario without an environment' : `The environment ${name}`
