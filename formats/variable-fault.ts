type ValuesOf = (type: string) => readonly string[]

/** The whole value stands before the last reason; the path, where there is one, at its end. */
const FAULT =
  /^Variable "\$(\w+)" got invalid value ([\s\S]*); ((?:Field "|Value "|Enum "|Expected |Exactly one key |\w+ cannot represent )[\s\S]*)$/

const UNKNOWN_FAULT = /^(?:Variable|Argument) "(\$?\w+)" (?:got|has) invalid value [\s\S]*$/

/**
 * Error of GraphQL about an unusable variable, as path and expectation: `$input.parts[0].name: it is missing`. The value
 * is left out: it can be a whole request body, and hold secrets.
 * @param message of GraphQL; any other text is returned as it is
 * @param valuesOf the values of an enum, which are named in its place; empty for any other type
 */
export function variableFault(message: string, valuesOf: ValuesOf = () => []): string {
  const [, name, value, reason] = FAULT.exec(message) ?? []
  if (name === undefined || value === undefined || reason === undefined)
    return message.replace(UNKNOWN_FAULT, '$1: expected another value')
  const [, place = name] = / at "(\w+[.[][^"]*)"$/.exec(value) ?? []
  const [, missing] = /^Field "(\w+)" of required type/.exec(reason) ?? []
  if (missing) return `$${place}.${missing}: it is missing`
  const [, unknown] = /^Field "(.*)" is not defined by type/s.exec(reason) ?? []
  if (unknown !== undefined) return `$${place}.${unknown}: no such attribute`
  if (reason.startsWith('Exactly one key')) return `$${place}: expected exactly one of its fields`
  return `$${place}: expected ${expectation(reason, valuesOf)}`
}

/** The same in the words of REST, where the body is the variable `input` and has no name; its fields may be others. */
export const bodyFault = (message: string): string =>
  message.replace(/^\$(\w+)(\.|: |(?=\[))/, (_, name, next) => {
    if (next === '.') return ''
    return next && name === 'input' ? 'The request body: ' : `${name}${next}`
  })

/** A type as messages name it: with an example where the name does not say how it is written. */
export const inWords = (type: string): string =>
  type.replace(/^DateTime!?$/, '$& (such as 2026-01-31T08:15:00Z)')

function expectation(reason: string, valuesOf: ValuesOf): string {
  const named = (type: string) => valuesOf(type).join(' or ') || inWords(type)
  const [, nonNull] = /^Expected non-nullable type "(.*)" not to be null/.exec(reason) ?? []
  if (/^Field "\w+" must be non-null/.test(reason)) return 'a value, not null'
  if (nonNull) return `${named(nonNull.replaceAll('!', ''))}, not null`
  const [, type] =
    /^(\w+) cannot represent/.exec(reason) ??
    /"(\w+)" enum/.exec(reason) ??
    /^(?:Enum|Expected type) "(\w+)"/.exec(reason) ??
    []
  return type ? named(type) : 'another value'
}
