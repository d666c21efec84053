/** The whole value stands before the last reason; the path, where there is one, at its end. */
const FAULT =
  /^Variable "\$\w+" got invalid value ([\s\S]*); ((?:Field "|Value "|Enum "|Expected |\w+ cannot represent )[\s\S]*)$/

/**
 * What GraphQL says about an unusable variable, in the words of REST: path and expectation. The value is left out: it
 * can be a whole request body, and hold secrets.
 * @param message of GraphQL; any other text is returned as it is
 */
export function variableFault(message: string): string {
  const [, value, reason] = FAULT.exec(message) ?? []
  if (value === undefined || reason === undefined) return message
  const [, path = ''] = / at "\w+\.([^"]*)"$/.exec(value) ?? []
  const within = (name: string) => (path ? `${path}.${name}` : name)
  const [, missing] = /^Field "(\w+)" of required type/.exec(reason) ?? []
  if (missing) return `${within(missing)}: it is missing`
  const [, unknown] = /^Field "(.*)" is not defined by type/s.exec(reason) ?? []
  if (unknown !== undefined) return `${within(unknown)}: no such attribute`
  return `${path || 'The request body'}: expected ${expectation(reason)}`
}

function expectation(reason: string): string {
  const [, nonNull] = /^Expected non-nullable type "(.*)" not to be null/.exec(reason) ?? []
  if (nonNull) return `${nonNull.replaceAll('!', '')}, not null`
  const [, type] =
    /^(\w+) cannot represent/.exec(reason) ??
    /"(\w+)" enum/.exec(reason) ??
    /^(?:Enum|Expected type) "(\w+)"/.exec(reason) ??
    []
  return type ?? 'another value'
}
