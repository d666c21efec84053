import { isObject } from '../json/values.ts'

/** A request as a step of a scenario, and what has to be known to send it. */
export interface RequestStep {
  step: { id: string; name?: string; http: Record<string, unknown>; expect?: object[] }
  /** Names of the secrets that it takes from the environment. */
  secrets: readonly string[]
}

/** Headers and parameters that hold a secret, as their names say. */
const SECRET = /^(proxy-)?authorization$|^cookie$|token|secret|password|api[-_]?key|session/i

/** Replaces what must not stand in a file by its name in the environment. */
export function withoutSecrets(values: Readonly<Record<string, string>>) {
  const secrets: string[] = []
  const kept = Object.entries(values).map(([name, value]): [string, string] => {
    if (!SECRET.test(name)) return [name, value]
    const secret = name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
    secrets.push(secret)
    return [name, `{{env.${secret}}}`]
  })
  return { secrets, values: Object.fromEntries(kept) }
}

/** A value in which no text is a template. */
export function literal<Value>(value: Value): Value
export function literal(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', '\\{{')
  if (Array.isArray(value)) return value.map((each) => literal(each))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, literal(each)]))
}

/** Makes a text that may be an id. */
export const idOf = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60) || 'request'
