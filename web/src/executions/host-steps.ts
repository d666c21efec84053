/** Steps of a scenario that may sign in at a host, and the scenarios that it runs inside of it. */
export function hostSteps(scenario: unknown): { uses: boolean; inside: string[] } {
  const { setup, steps, teardown } = objectOf(scenario)
  const all = [setup, steps, teardown].flatMap(flat)
  const inside = all.flatMap((step) => {
    const { id } = objectOf(step.scenario)
    return typeof id === 'string' ? [id] : []
  })
  return { uses: all.some(signsIn), inside }
}

const flat = (steps: unknown): Record<string, unknown>[] =>
  Array.isArray(steps)
    ? steps.map(objectOf).flatMap((step) => [step, ...flat(objectOf(step.parallel).steps)])
    : []

const signsIn = ({ http, graphql, command }: Record<string, unknown>): boolean =>
  command !== undefined ||
  [http, graphql].some((each) => each !== undefined && sends(objectOf(each)))

/** Without a word of its own, the step sends them to the host of its environment; a header of its own goes before. */
function sends({ credentials, url, headers }: Record<string, unknown>): boolean {
  const isElsewhere = typeof url === 'string' && /^https?:/i.test(url)
  const hasOwn = Object.keys(objectOf(headers)).some((name) => /^authorization$/i.test(name))
  return !hasOwn && (credentials === undefined ? !isElsewhere : credentials !== false)
}

const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
