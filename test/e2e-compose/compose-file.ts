import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** What this test uses of a service. */
export interface Service {
  image: string
  build?: string
  command?: string[]
  environment?: Record<string, string>
  ports?: string[]
  networks?: string[]
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
}

export type Services = Readonly<Record<string, Service>>

const TEXT = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8')

/** The services of docker-compose.yml, with the variables in it filled in. @throws Error that quotes the hint of a missing one */
export function composeServices(variables: Readonly<Record<string, string>>): Services {
  const filled = parse(TEXT, {
    merge: true,
    reviver: (_key: unknown, value: unknown) =>
      typeof value === 'string' ? fillIn(value, variables) : value,
  }) as { services: Services } // our own file
  return filled.services
}

/** `${NAME:?hint}` and `${NAME:-default}`, the two forms that the file uses. */
const fillIn = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind = '', rest = '') => {
    const value = variables[name]
    if (value) return value
    if (kind === '-') return rest
    throw new Error(`required variable ${name} is missing a value: ${rest}`)
  })

/** The services in an order in which each comes after those that it depends on. */
export function inStartOrder(services: Services): [string, Service][] {
  const ordered = new Map<string, Service>()
  const add = (name: string) => {
    const service = services[name]
    if (!service) throw new Error(`docker-compose.yml has no service ${name}`)
    for (const needed of Object.keys(service.depends_on ?? {})) add(needed)
    ordered.set(name, service)
  }
  for (const name of Object.keys(services)) add(name)
  return [...ordered]
}
