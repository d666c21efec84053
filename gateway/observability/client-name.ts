/** Name and version that a client gives itself. */
export interface ClientName {
  client: string
  version: string
}

/** Headers of Hive's and of Apollo's clients. */
const PREFIXES = ['graphql', 'apollographql']
const MAX_CHARACTERS = 100
/** Distinct clients with labels of their own; they choose their names. */
const MAX_CLIENTS = 200
const OTHER: ClientName = { client: 'other', version: 'other' }

/** @returns undefined for a client without a name */
export function clientNameIn(headers: Readonly<Record<string, unknown>>): ClientName | undefined {
  for (const prefix of PREFIXES) {
    const client = shortened(headers[`${prefix}-client-name`])
    if (client) return { client, version: shortened(headers[`${prefix}-client-version`]) }
  }
  return undefined
}

const shortened = (given: unknown): string =>
  typeof given === 'string' ? given.slice(0, MAX_CHARACTERS) : ''

/** Bounds the clients that have labels: after too many distinct ones, the others have common ones. */
export function clientLabels(): (given: ClientName) => ClientName {
  const known = new Set<string>()
  return (given) => {
    const key = JSON.stringify(given)
    if (known.size < MAX_CLIENTS) known.add(key)
    return known.has(key) ? given : OTHER
  }
}
