import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Parts of a service that this test uses. */
export interface Service {
  image: string
  build?: { context: string; args: Record<string, string> }
  command?: string[]
  environment?: Record<string, string>
  secrets?: string[]
  deploy?: { replicas: number }
  ports?: string[]
  networks?: string[]
  volumes?: string[]
  read_only?: boolean
  tmpfs?: string[]
  cap_drop?: string[]
  security_opt?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test: string[] }
}

export type Services = Readonly<Record<string, Service>>

export interface ComposeFile {
  services: Services
  networks: Readonly<
    Record<string, { internal?: boolean; ipam?: { config: [{ subnet: string }] } } | null>
  >
  secrets: Readonly<Record<string, { file: string }>>
}

const TEXT = readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8')

/** docker-compose.yml, where the environment sets no variable. */
export const readComposeFile = (): ComposeFile =>
  parse(TEXT, {
    merge: true,
    reviver: (_key: unknown, value: unknown) =>
      typeof value === 'string' ? withDefaults(value) : value,
  }) as ComposeFile // our own file

/** `${NAME:-default}`, the one form that the file uses. */
const withDefaults = (text: string): string => text.replace(/\$\{\w+:-([^}]*)\}/g, '$1')

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
