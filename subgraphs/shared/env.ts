import { Ajv, type ErrorObject, type JSONSchemaType } from 'ajv'

export type Env = Record<string, string | undefined>

/** The environment is unusable. The message lists every fault, one a line. */
export class ConfigError extends Error {
  override name = 'ConfigError'

  constructor(readonly faults: readonly string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
  }
}

const ajv = new Ajv({
  allErrors: true,
  coerceTypes: true,
  useDefaults: true,
  removeAdditional: true,
  allowUnionTypes: true,
})
ajv.addFormat('path', /^\/[\w./~-]*$/)
ajv.addFormat('postgres-url', /^postgres(ql)?:\/\/.+/)
ajv.addFormat('http-url', /^https?:\/\/.+/)
ajv.addFormat('key-32-bytes', (text) => Buffer.from(text, 'base64').length === 32)
ajv.addFormat('signing-secret', /^whsec_[A-Za-z0-9+/]{32,}=*$/)

const HINTS: Record<string, string> = {
  path: 'a path that begins with a slash, such as /api',
  'postgres-url': 'an address such as postgres://user:password@host:5432/database',
  'http-url': 'an address such as http://127.0.0.1:4001/graphql',
  'key-32-bytes': '32 bytes in Base64, such as `openssl rand -base64 32` prints',
  'signing-secret': '"whsec_" and at least 24 bytes in Base64',
}

/**
 * Types the environment by a JSON Schema whose properties are variable names; defaults stand in the schema.
 * An empty variable counts as absent.
 * @param rules adds faults that concern several variables at once
 * @throws ConfigError that lists every fault
 */
export function readEnv<T extends object>(
  schema: JSONSchemaType<T>,
  env: Env,
  rules: (values: T) => string[] = () => [],
): T {
  const values: unknown = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== ''),
  )
  const validate = ajv.compile(schema)
  if (!validate(values)) throw new ConfigError((validate.errors ?? []).map(describe))
  const faults = rules(values)
  if (faults.length > 0) throw new ConfigError(faults)
  return values
}

function describe({ instancePath, keyword, params, message }: ErrorObject): string {
  const name = instancePath.slice(1)
  if (keyword === 'required') return `${params.missingProperty} must be set`
  if (keyword === 'enum') return `${name} must be one of: ${params.allowedValues.join(', ')}`
  if (keyword === 'format') return `${name} must be ${HINTS[params.format]}`
  return `${name} ${message}`
}

/** Hosts that only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
