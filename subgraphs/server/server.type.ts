import { Directive, Field, ObjectType, registerEnumType } from 'type-graphql'
import type { EffectiveSetting, Tier } from '../../platform/settings/effective.ts'
import type { AuthMode as Mode } from '../../platform/settings/variables.ts'

const AuthMode = {
  NONE: 'none',
  USERS: 'users',
  PROXY: 'proxy',
  OIDC: 'oidc',
} as const satisfies Record<string, Mode>
registerEnumType(AuthMode, {
  name: 'AuthMode',
  description: 'How callers sign in (AUTH_MODE).',
  valuesConfig: {
    NONE: { description: 'Not at all: every caller may do everything.' },
    USERS: { description: 'By accounts that are kept here.' },
    PROXY: { description: 'A server in front names the user.' },
    OIDC: { description: 'By an OpenID Connect issuer.' },
  },
})

const SettingTier = {
  EVERYDAY: 'everyday',
  OPERATORS: 'operators',
  LIMITS: 'limits',
} as const satisfies Record<string, Tier>
registerEnumType(SettingTier, {
  name: 'SettingTier',
  description: 'Whom a setting concerns.',
  valuesConfig: {
    EVERYDAY: { description: 'Every installation.' },
    OPERATORS: { description: 'Those who run Assay for others.' },
    LIMITS: { description: 'Those who move a limit.' },
  },
})

@ObjectType({ description: 'A setting of the process that serves clients, as it holds.' })
export class Setting implements Omit<EffectiveSetting, 'default'> {
  @Field(() => String, { description: 'Name of the environment variable.' })
  name!: string

  @Field(() => SettingTier, { description: 'Whom it concerns.' })
  tier!: Tier

  @Field(() => String, {
    nullable: true,
    description: 'Null for secrets, and where `default` says in words what holds.',
  })
  value!: string | null

  @Field(() => String, { description: 'What holds when it is not set, in Markdown.' })
  default!: string

  @Field(() => Boolean, { description: 'Whether its value is secret; it is never shown.' })
  isSecret!: boolean

  @Field(() => Boolean, { description: 'Whether the operator has set another value.' })
  isChanged!: boolean

  @Field(() => String, { description: 'What it does, in Markdown.' })
  meaning!: string
}

@Directive('@shareable')
@ObjectType({ description: 'Assay as it runs here.' })
export class Server {
  @Field(() => String, { description: 'The version of Assay.' })
  version!: string

  @Field(() => AuthMode, { description: 'How callers sign in.' })
  authMode!: Mode

  @Field(() => [Setting], { description: 'Settings besides limits; for administrators.' })
  settings!: EffectiveSetting[]

  @Field(() => [Setting], { description: 'Settings that are limits; for administrators.' })
  limits!: EffectiveSetting[]
}
