import { Field, ID, InputType, ObjectType, registerEnumType } from 'type-graphql'
import { SCOPES } from '../../platform/access/permissions.ts'
import { connectionType } from '../../platform/paging/connection.type.ts'
import type * as domain from './account.entity.ts'

/** GraphQL's names for the roles. */
export const AccountRole = {
  READER: 'reader',
  RUNNER: 'runner',
  EDITOR: 'editor',
  ADMIN: 'admin',
} as const satisfies Record<string, domain.Account['role']>
registerEnumType(AccountRole, {
  name: 'AccountRole',
  description: 'What an account may do; each role may do what the one before it may.',
  valuesConfig: {
    READER: { description: 'See everything but callbacks, accounts and the audit log.' },
    RUNNER: { description: 'Also execute, and send and settle events.' },
    EDITOR: { description: 'Also change artifacts, and see and repeat callbacks.' },
    ADMIN: { description: 'Everything.' },
  },
})

const SCOPE_LIST = SCOPES.join(', ')

@ObjectType({
  description: 'A long-lived secret of an account, for programs; its secret is not shown again.',
})
export class ApiToken {
  @Field(() => ID, { description: 'Names it; no secret.' })
  id!: string

  @Field(() => String, { description: 'What it is for.' })
  name!: string

  @Field(() => [String], {
    description: `What it is limited to, of: ${SCOPE_LIST}. The role of the account limits it as well.`,
  })
  scopes!: string[]

  @Field(() => Date, { description: 'When it was made.' })
  created!: Date

  @Field(() => Date, { nullable: true, description: 'When it ends; null: never.' })
  expires!: Date | null

  @Field(() => Date, {
    nullable: true,
    description: 'When it was used last, to the minute; null: never.',
  })
  lastUsed!: Date | null
}

@ObjectType({ description: 'Somebody who may sign in.' })
export class Account {
  @Field(() => ID, { description: 'Stays when the e-mail changes.' })
  id!: string

  @Field(() => String, { description: 'The name to sign in with.' })
  email!: string

  @Field(() => AccountRole, { description: 'What it may do.' })
  role!: domain.Account['role']

  @Field(() => Boolean, { description: 'Whether it may sign in.' })
  active!: boolean

  @Field(() => Date, { description: 'When it was made.' })
  created!: Date
}

export const AccountConnection = connectionType(() => Account, 'Account')

@ObjectType({ description: 'Whoever asks.' })
export class Viewer {
  @Field(() => String, { nullable: true, description: 'The name; null without a sign-in.' })
  user!: string | null

  @Field(() => String, {
    nullable: true,
    description: 'The issuer and its subject, which stay when the name changes; null without one.',
  })
  subject!: string | null

  @Field(() => [String], { description: 'What the viewer may do.' })
  permissions!: readonly string[]
}

@ObjectType({ description: 'A sign-in that lasts for an hour.' })
export class Session {
  @Field(() => String, { description: 'For the header `token`.' })
  token!: string

  @Field(() => Date, { description: 'When it ends.' })
  expires!: Date
}

@ObjectType({ description: 'An account that was made.' })
export class NewAccount {
  @Field(() => Account, { description: 'The account.' })
  account!: Account

  @Field(() => String, {
    nullable: true,
    description: 'The password that was made for it, shown only here; null where one was given.',
  })
  password!: string | null
}

@ObjectType({ description: 'An API token that was made.' })
export class NewApiToken {
  @Field(() => ApiToken, { description: 'The token.' })
  token!: ApiToken

  @Field(() => String, { description: 'What a program signs in with, shown only here.' })
  secret!: string
}

@InputType({ description: 'Who is to sign in.' })
export class CreateAccountInput {
  @Field(() => String, { description: 'The name to sign in with; each belongs to one account.' })
  email!: string

  @Field(() => AccountRole, { description: 'What it may do.' })
  role!: domain.Account['role']

  @Field(() => String, {
    nullable: true,
    description: '12 to 256 characters; one is made if absent.',
  })
  password?: string | null
}

@InputType({
  description: 'Changes to an account; absent fields stay. Ends the sessions of the account.',
})
export class UpdateAccountInput {
  @Field(() => ID, { description: 'The account.' })
  id!: string

  @Field(() => String, { nullable: true, description: 'Another name to sign in with.' })
  email?: string | null

  @Field(() => AccountRole, { nullable: true, description: 'Another role.' })
  role?: domain.Account['role'] | null

  @Field(() => Boolean, { nullable: true, description: 'Whether it may sign in.' })
  active?: boolean | null

  @Field(() => String, { nullable: true, description: '12 to 256 characters.' })
  password?: string | null
}

@InputType({ description: 'A new password of the caller. Ends the sessions of the caller.' })
export class ChangePasswordInput {
  @Field(() => String, { description: 'The password so far.' })
  current!: string

  @Field(() => String, { description: '12 to 256 characters.' })
  password!: string
}

@InputType({ description: 'What the token is to be.' })
export class CreateApiTokenInput {
  @Field(() => String, { description: 'What it is for.' })
  name!: string

  @Field(() => [String], { description: `Some of: ${SCOPE_LIST}.` })
  scopes!: string[]

  @Field(() => Date, {
    nullable: true,
    description: 'When it ends, at most 5 years ahead; after API_TOKEN_DAYS (90 days) if absent.',
  })
  expires?: Date | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Makes a token that ends only when it is revoked; instead of `expires`.',
  })
  neverExpires?: boolean | null

  @Field(() => ID, {
    nullable: true,
    description: 'Whose it is; for administrators. Your own if absent.',
  })
  accountId?: string | null
}
