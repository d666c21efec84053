import { EVERYDAY } from './everyday.ts'
import { LIMITS } from './limits.ts'
import { OPERATORS } from './operators.ts'
import type { Setting } from './setting.ts'

/** By reader: every installation, operators who serve others, and those who move a limit. */
export const TIERS = { everyday: EVERYDAY, operators: OPERATORS, limits: LIMITS } as const

type Settings = typeof EVERYDAY & typeof OPERATORS & typeof LIMITS
type Name = keyof Settings
type Schema<Of extends Name> = Settings[Of]['schema']

type Value<Of> = Of extends { enum: readonly (infer Word)[] }
  ? Word
  : Of extends { type: 'boolean' }
    ? boolean
    : Of extends { type: 'integer' | 'number' }
      ? number
      : string

/** Variables that always have a value. */
type Constant = { [Of in Name]: Schema<Of> extends { default: unknown } ? Of : never }[Name]

/** Every environment variable that any process reads, with its value as the schema of the setting types it. */
export type Variables = { [Of in Constant]: Value<Schema<Of>> } & {
  [Of in Exclude<Name, Constant>]?: Value<Schema<Of>>
}

/** Every setting by its name. */
export const VARIABLES: Readonly<Record<keyof Variables, Setting>> = {
  ...EVERYDAY,
  ...OPERATORS,
  ...LIMITS,
}

/** Ways in which callers become known: not at all, by accounts of our own, by a server in front, or by tokens of an issuer. */
export type AuthMode = NonNullable<Variables['AUTH_MODE']>

/** When details of executions are deleted. */
export const RETENTION_VARIABLES = [
  'DETAILS_RETENTION_DAYS',
  'DETAILS_RETENTION_SCHEDULE',
  'DETAILS_RETENTION_BATCH',
] as const

export type RetentionSettings = Pick<Variables, (typeof RETENTION_VARIABLES)[number]>
