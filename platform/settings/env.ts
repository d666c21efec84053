import { readFileSync } from 'node:fs'
import { Ajv, type ErrorObject } from 'ajv'
import { FORMATS } from './formats.ts'
import { fileVariableOf, type Setting, standardOf } from './setting.ts'
import { VARIABLES, type Variables } from './variables.ts'

export type Env = Record<string, string | undefined>

/** The environment is unusable. The message lists every fault, one a line. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration is wrong:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

// The schemas are constants; checking their own form would take longer than all else that a start does with them.
const ajv = new Ajv({ allErrors: true, validateSchema: false })
for (const [name, { test }] of Object.entries(FORMATS)) ajv.addFormat(name, test)

/**
 * Types the variables that a process reads. An empty variable counts as absent. `NAME_FILE` names a file with the value of
 * a secret.
 * @param rules finds faults that concern several variables at once
 * @throws ConfigError that lists every fault
 */
export function readEnv<Name extends keyof Variables>(
  env: Env,
  names: readonly Name[],
  rules: (values: Pick<Variables, Name>) => string[] = () => [],
): Pick<Variables, Name> {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  // Few variables are set, and compiling what checks the others would delay each start.
  const properties: Record<string, Setting['schema']> = {}
  for (const name of names) {
    const setting: Setting = VARIABLES[name]
    const value = readValue(env, name, faults)
    if (value) properties[name] = setting.schema
    const valueOrStandard = value ? typed(value, setting) : standardOf(setting)
    if (valueOrStandard !== undefined) values[name] = valueOrStandard
  }
  const validate = ajv.compile<Pick<Variables, Name>>({ type: 'object', properties })
  const valid = validate(values)
  faults.push(...(validate.errors ?? []).map(describe))
  // The rules read values that may be faulty still; each rule only compares.
  faults.push(...rules(values as Pick<Variables, Name>))
  if (!valid || faults.length > 0) throw new ConfigError(faults)
  return values
}

/** The value, or that of the file named for a secret; the line break at its end does not count. */
function readValue(env: Env, name: keyof Variables, faults: string[]): string | undefined {
  const file = VARIABLES[name].isSecret && env[fileVariableOf(name)]
  if (!file) return env[name]
  if (env[name]) faults.push(`${name} and ${fileVariableOf(name)} exclude each other`)
  try {
    const value = readFileSync(file, 'utf8').trim()
    if (!value) faults.push(`${fileVariableOf(name)}: ${file} is empty`)
    return value
  } catch (error) {
    faults.push(`${fileVariableOf(name)}: ${file} cannot be read: ${(error as Error).message}`)
    return undefined
  }
}

/** Every variable of `names` that has no value, as a fault that says when it is needed. */
export const missing = <Name extends keyof Variables>(
  values: Partial<Variables>,
  names: readonly Name[],
  when: string,
): string[] =>
  names.filter((name) => values[name] === undefined).map((name) => `${name} must be set ${when}`)

/** Spellings of values that are no text. */
const SPELLINGS: Readonly<Record<string, { form: RegExp; hint: string }>> = {
  boolean: { form: /^(true|false)$/, hint: 'true or false' },
  integer: { form: /^-?\d+$/, hint: 'a whole number' },
  number: { form: /^-?(\d+(\.\d+)?|\.\d+)$/, hint: 'a number such as 0.5' },
}

/** The text itself where it is not written as its type is: the schema refuses it then. */
function typed(text: string, { schema: { type } }: Setting): unknown {
  if (!SPELLINGS[type]?.form.test(text)) return text
  return type === 'boolean' ? text === 'true' : Number(text)
}

/** Rules for values, by the keyword of their schema. */
const RULES: Readonly<Record<string, (params: ErrorObject['params']) => string>> = {
  type: ({ type }) => `be ${SPELLINGS[type]?.hint}`,
  enum: ({ allowedValues }) => `be one of: ${allowedValues.join(', ')}`,
  format: ({ format }) => `be ${FORMATS[format]?.hint}`,
  minimum: ({ limit }) => `be at least ${limit}`,
  maximum: ({ limit }) => `be at most ${limit}`,
  minLength: ({ limit }) => `have at least ${limit} characters`,
  maxLength: ({ limit }) => `have at most ${limit} characters`,
}

const describe = ({ instancePath, keyword, params }: ErrorObject): string =>
  `${instancePath.slice(1)} must ${RULES[keyword]?.(params)}`

/** Hosts that only this machine can reach. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** A public address needs a decision about who gets in. */
export const publicHostFaults = ({
  HOST,
  AUTH_MODE,
}: Pick<Variables, 'HOST' | 'AUTH_MODE'>): string[] =>
  isLoopback(HOST) || AUTH_MODE
    ? []
    : [
        `AUTH_MODE must be set while HOST=${HOST} lets other machines in; AUTH_MODE=none means that everybody may do everything`,
      ]
