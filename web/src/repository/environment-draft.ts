import type {
  CreateEnvironmentInput,
  EnvironmentDetailQuery,
  RevisionFragment,
  Runner,
} from '../graph/generated.ts'

export type Environment = NonNullable<EnvironmentDetailQuery['artifact']>
export type VariableType = 'text' | 'number' | 'boolean'

export interface Variable {
  name: string
  type: VariableType
  /** As it is typed. */
  value: string
}

export interface SecretDraft {
  name: string
  /** Empty where the stored value stays; stored ones are never shown. */
  value: string
  isStored: boolean
}

/** An environment as its form has it. */
export interface EnvironmentDraft {
  name: string
  description: string
  baseUrl: string
  variables: readonly Variable[]
  secrets: readonly SecretDraft[]
  /** One on each line. */
  allowedHosts: string
  runners: readonly Runner[]
}

export const RUNNERS: Readonly<Record<Runner, string>> = {
  CALL: 'call: functions of components',
  HTTP: 'http: requests',
  GRAPHQL: 'graphql: operations',
  COMMAND: 'command: programs on the machine of the worker',
}

const isRunner = (text: unknown): text is Runner => Object.hasOwn(RUNNERS, String(text))

export const NEW_ENVIRONMENT: EnvironmentDraft = {
  name: '',
  description: '',
  baseUrl: '',
  variables: [],
  secrets: [],
  allowedHosts: '',
  runners: ['CALL', 'HTTP', 'GRAPHQL'],
}

interface Given extends Pick<Environment, 'name' | 'description' | 'secrets'> {
  baseUrl: unknown
  variables: unknown
  allowedHosts: unknown
  runners: unknown
}

function draftOf(given: Given): EnvironmentDraft {
  const { name, description, baseUrl, variables, secrets, allowedHosts, runners } = given
  return {
    name,
    description: description ?? '',
    baseUrl: typeof baseUrl === 'string' ? baseUrl : '',
    variables: Object.entries(variables ?? {}).map(([key, value]) => ({
      name: key,
      type: typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text',
      value: String(value),
    })),
    secrets: secrets.map((secret) => ({ name: secret.name, value: '', isStored: true })),
    allowedHosts: [allowedHosts ?? []].flat().join('\n'),
    runners: [runners ?? []].flat().filter(isRunner),
  }
}

export const draftOfEnvironment = (environment: Environment): EnvironmentDraft =>
  draftOf(environment)

/** An earlier revision as a draft. Of secrets the values were not kept: those of today stay. */
export const draftOfEarlier = (
  { secrets }: Environment,
  { name, description, attributes }: RevisionFragment,
): EnvironmentDraft => draftOf({ ...NEW_ENVIRONMENT, ...attributes, name, description, secrets })

/** @throws Error for a number that is none, or that would be stored as another one */
function typedValue({ name, type, value }: Variable): string | number | boolean {
  if (type === 'text') return value
  if (type === 'boolean') return value === 'true'
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number))
    throw new Error(`variables.${name}: ${value || 'nothing'} is no number`)
  if (Number.isInteger(number) && !Number.isSafeInteger(number))
    throw new Error(`variables.${name}: a number keeps up to 2^53 - 1; choose text for ${value}`)
  return number
}

/** Input for a draft. @throws Error that begins with the attribute, for a fault in it */
export function inputOfEnvironment(draft: EnvironmentDraft): CreateEnvironmentInput {
  const names = new Set<string>()
  for (const { name } of draft.variables) {
    if (names.has(name)) throw new Error(`variables.${name}: there are two of this name`)
    names.add(name)
  }
  return {
    name: draft.name,
    description: draft.description || null,
    baseUrl: draft.baseUrl || null,
    variables: Object.fromEntries(draft.variables.map((each) => [each.name, typedValue(each)])),
    secrets: draft.secrets.map(({ name, value }) => ({ name, ...(value !== '' && { value }) })),
    allowedHosts: draft.allowedHosts
      .split('\n')
      .map((host) => host.trim())
      .filter(Boolean),
    runners: [...draft.runners],
  }
}
